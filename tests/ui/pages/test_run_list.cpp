// The list of runs at the left: what changes in the store changes in the list, and all else stays as it is.
#include "program/window_test.h"
#include "ui/pages/runs/run_list.h"

#include <QTest>
#include <QTreeWidget>

#include <memory>

using namespace lockstep;
using analysis::RunRecord;
using analysis::RunStatus;

namespace {

RunRecord run(const std::string& id, const std::string& name, RunStatus status = RunStatus::Finished)
{
    RunRecord made;
    made.id = RunId{id};
    made.spec.experiment = "aggregation";
    made.spec.name = name;
    made.status = status;
    made.createdNs = 1'000'000'000;
    return made;
}

/// `batch: variant, variant; ...`, without the times.
QStringList shownIn(const QTreeWidget& list)
{
    QStringList shown;
    for (int i = 0; i < list.topLevelItem(0)->childCount(); ++i) {
        const QTreeWidgetItem* batch = list.topLevelItem(0)->child(i);
        QStringList variants;
        for (int j = 0; j < batch->childCount(); ++j) {
            variants << batch->child(j)->text(0).simplified();
        }
        shown << variants.join(QStringLiteral(", "));
    }
    return shown;
}

} // namespace

class TestRunList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_list = std::make_unique<ui::RunList>();
        m_tree = m_list->findChild<QTreeWidget*>();
    }

    void batchesComeAndGoInTheirPlaces()
    {
        const RunRecord first = run("20261123-100000-aaaa", "ring");
        const RunRecord second = run("20261123-110000-bbbb", "tree");
        const RunRecord third = run("20261123-120000-cccc", "all_reduce");
        m_list->setRuns({second, first}, {});
        QCOMPARE(shownIn(*m_tree), (QStringList{QStringLiteral("Tree"), QStringLiteral("Ring")}));
        QTreeWidgetItem* kept = m_tree->topLevelItem(0)->child(1);
        kept->setExpanded(true);
        // The second has gone and two others came, one of them before the first.
        m_list->setRuns({third, first, run("20261123-090000-dddd", "tree")}, {});
        QCOMPARE(shownIn(*m_tree),
            (QStringList{QStringLiteral("All-reduce"), QStringLiteral("Ring"), QStringLiteral("Tree")}));
        QCOMPARE(m_tree->topLevelItem(0)->child(1), kept);
        QVERIFY(kept->isExpanded());
    }

    void aStatusChangesInItsBatch()
    {
        RunRecord ring = run("20261123-100000-aaaa", "ring");
        const RunRecord tree = run("20261123-110000-bbbb", "tree");
        m_list->setRuns({tree, ring}, {{ring.id, {Qt::red}}});
        ring.status = RunStatus::Failed;
        m_list->setRuns({tree, ring}, {{ring.id, {Qt::red}}});
        QCOMPARE(shownIn(*m_tree), (QStringList{QStringLiteral("Tree"), QStringLiteral("Ring failed")}));
        QCOMPARE(m_tree->topLevelItem(0)->child(1)->child(0)->checkState(0), Qt::Checked);
        QCOMPARE(m_tree->topLevelItem(0)->child(0)->child(0)->checkState(0), Qt::Unchecked);
    }

    void ticksFollowWhatIsShown()
    {
        const RunRecord one = run("20261123-100000-aaaa", "ring");
        const RunRecord other = run("20261123-100000-bbbb", "tree");
        m_list->setRuns({one, other}, {});
        const QTreeWidgetItem* batch = m_tree->topLevelItem(0)->child(0);
        QCOMPARE(batch->checkState(0), Qt::Unchecked);
        m_list->setRuns({one, other}, {{one.id, {Qt::red}}});
        QCOMPARE(batch->checkState(0), Qt::PartiallyChecked);
        m_list->setRuns({one, other}, {{one.id, {Qt::red}}, {other.id, {Qt::blue}}});
        QCOMPARE(batch->checkState(0), Qt::Checked);
        // A new run of a batch that is shown is ticked with its first appearance.
        const RunRecord third = run("20261123-130000-cccc", "ring");
        m_list->setRuns({third, one, other}, {{one.id, {Qt::red}}, {other.id, {Qt::blue}}, {third.id, {Qt::green}}});
        QCOMPARE(m_tree->topLevelItem(0)->child(0)->checkState(0), Qt::Checked);
        QCOMPARE(m_tree->topLevelItem(0)->child(0)->child(0)->checkState(0), Qt::Checked);
    }

    /// A click on an experiment opens its newest batch, one on a batch that batch, one on a variant its batch where
    /// none of it is shown. The experiment that is shown folds.
    void whatIsOpenedIsAskedFor()
    {
        m_list->setRuns({run("20261123-110000-bbbb", "tree"), run("20261123-100000-aaaa", "ring")}, {});
        std::vector<RunId> opened;
        connect(m_list.get(), &ui::RunList::openRequested, this, [&opened](const auto& runs) { opened = runs; });
        m_tree->topLevelItem(0)->setExpanded(false);
        Q_EMIT m_tree->itemClicked(m_tree->topLevelItem(0), 0);
        QCOMPARE(opened, (std::vector{RunId{"20261123-110000-bbbb"}}));
        Q_EMIT m_tree->itemClicked(m_tree->topLevelItem(0)->child(1), 0);
        QCOMPARE(opened, (std::vector{RunId{"20261123-100000-aaaa"}}));
        opened.clear();
        Q_EMIT m_tree->itemClicked(m_tree->topLevelItem(0)->child(0)->child(0), 0);
        QCOMPARE(opened, (std::vector{RunId{"20261123-110000-bbbb"}}));
        QVERIFY(m_tree->topLevelItem(0)->isExpanded());
        opened.clear();
        Q_EMIT m_tree->itemClicked(m_tree->topLevelItem(0), 0); // open, but not what is shown
        QCOMPARE(opened, (std::vector{RunId{"20261123-110000-bbbb"}}));
        opened.clear();
        m_list->setChosen(m_tree->topLevelItem(0)->data(0, Qt::UserRole).toString().toStdString());
        Q_EMIT m_tree->itemClicked(m_tree->topLevelItem(0), 0);
        QVERIFY(opened.empty());
        QVERIFY(!m_tree->topLevelItem(0)->isExpanded());
    }

private:
    std::unique_ptr<ui::RunList> m_list;
    QTreeWidget* m_tree = nullptr;
};

LOCKSTEP_WINDOW_TEST(TestRunList)
#include "test_run_list.moc"
