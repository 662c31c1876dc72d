// The table's rows under a filter, their order, and groups of them.
#include "base/clock.h"
#include "core/analysis/table/table_runs.h"
#include "program/test_class.h"
#include "ui/models/runs/run_groups_model.h"
#include "ui/models/runs/runs_filter.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;
using ui::RunGroupsModel;
using ui::RunsFilter;
using ui::RunsTableModel;

namespace {

std::vector<analysis::RunRecord> sixRuns()
{
    std::vector<analysis::RunRecord> runs;
    int number = 0;
    for (const char* name : {"SGD", "Adam"}) {
        for (std::int64_t seed = 1; seed <= 3; ++seed) {
            const bool isAdam = runs.size() >= 3;
            runs.push_back(tableRun(name, seed, (isAdam ? 0.05 : 0.1) * double(seed), isAdam ? 0.96 : 0.91));
            runs.back().id.text = "20261120-12000" + std::to_string(number) + "-abcd";
            runs.back().createdNs += 1'000'000'000LL * number++;
        }
    }
    std::ranges::reverse(runs); // newest first
    return runs;
}

QStringList namesIn(const RunsFilter& filter)
{
    QStringList names;
    for (int row = 0; row < filter.rowCount(); ++row) {
        names += filter.index(row, RunsTableModel::Name).data().toString();
    }
    return names;
}

} // namespace

class TestRunsFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_model = std::make_unique<RunsTableModel>();
        m_shown = std::make_unique<ui::ShownRuns>();
        m_model->follow(*m_shown);
        m_filter = std::make_unique<RunsFilter>(*m_model);
        m_model->setRecords(sixRuns());
    }
    void cleanup()
    {
        m_filter.reset();
        m_model.reset();
    }

    void filtersAndKeepsTheRowsOfAnUnreadableText()
    {
        m_filter->setText(QStringLiteral("accuracy > 0.94 and net = mlp"));
        QCOMPARE(m_filter->rowCount(), 3);
        QSignalSpy problems(m_filter.get(), &RunsFilter::problemChanged);
        m_filter->setText(QStringLiteral("accuracy > 0.94 and"));
        QCOMPARE(m_filter->rowCount(), 3);
        QCOMPARE(problems.size(), 1);
        QCOMPARE(m_filter->problem(), QStringLiteral("something is missing after \"and\""));
        m_filter->setText(QStringLiteral("sgd"));
        QCOMPARE(m_filter->rowCount(), 3);
        QVERIFY(m_filter->problem().isEmpty());
        m_filter->setText({});
        QCOMPARE(m_filter->rowCount(), 6);
    }

    void sortsNumbersWithTheUnknownLastAndPinsFirst()
    {
        auto runs = sixRuns();
        runs[1].summary.finalLoss = analysis::NotMeasured;
        m_model->setRecords(runs);
        const QString unknown = ui::runName(runs[1]);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            m_filter->sort(RunsTableModel::Loss, order);
            QCOMPARE(namesIn(*m_filter).last(), unknown);
        }
        m_filter->sort(RunsTableModel::Loss, Qt::AscendingOrder);
        QCOMPARE(namesIn(*m_filter).first(), QStringLiteral("Adam"));
        analysis::RunMarks pinned;
        pinned.isPinned = true;
        m_model->setMarks(m_model->idAt(3), pinned); // SGD #3: the largest loss
        QCOMPARE(namesIn(*m_filter).first(), QStringLiteral("★ SGD #3"));
        m_filter->sort(RunsTableModel::Loss, Qt::DescendingOrder);
        QCOMPARE(namesIn(*m_filter).first(), QStringLiteral("★ SGD #3"));
    }

    void groupsHaveMeansIntervalsAndDifferences()
    {
        RunGroupsModel groups(*m_model, *m_filter);
        const QAbstractItemModelTester tester(&groups, QAbstractItemModelTester::FailureReportingMode::Fatal);
        groups.update();
        QCOMPARE(groups.rowCount(), 2);
        const auto text = [&](int row, int column) { return groups.index(row, column).data().toString(); };
        QCOMPARE(text(0, 0), QStringLiteral("Adam"));
        QCOMPARE(text(0, 1), QStringLiteral("3"));
        QCOMPARE(text(0, 2), QStringLiteral("0.10 [0.03, 0.35]")); // 0.05, 0.10, 0.15
        QCOMPARE(text(0, 3), QStringLiteral("96.0"));
        m_model->setBaseline(m_model->idAt(5)); // SGD
        groups.update();
        QCOMPARE(groups.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Δ Last batch loss"));
        QCOMPARE(text(0, 3), QStringLiteral("−50.0 %"));
        QCOMPARE(text(0, 5), QStringLiteral("+5.0 points"));
        QCOMPARE(text(1, 3), QString()); // the baseline itself
        groups.setBy({analysis::findColumn("experiment")});
        QCOMPARE(groups.rowCount(), 1);
        QCOMPARE(text(0, 0), QStringLiteral("Optimizers"));
        QVERIFY(text(0, groups.columnCount() - 1).contains(QStringLiteral("Optimizer")));
    }

    void tickingAGroupAsksForItsRuns()
    {
        RunGroupsModel groups(*m_model, *m_filter);
        groups.update();
        QStringList asked;
        connect(m_model.get(), &RunsTableModel::showRequested, this, [&](const RunId& id) {
            asked += QString::fromStdString(id.text);
            m_shown->add(id, {Qt::red}, 0);
        });
        QVERIFY(groups.setData(groups.index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(asked.size(), 3);
        QCOMPARE(groups.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(groups.index(1, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        m_shown->remove(m_model->idAt(0));
        QCOMPARE(groups.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::PartiallyChecked));
    }

    void tagsAndNotesAreEditedInPlace()
    {
        QSignalSpy marked(m_model.get(), &RunsTableModel::markRequested);
        QVERIFY(m_model->setData(
            m_model->index(0, RunsTableModel::Tags), QStringLiteral("paper，draft, paper"), Qt::EditRole));
        QCOMPARE(m_model->index(0, RunsTableModel::Tags).data().toString(), QStringLiteral("paper, draft"));
        QVERIFY(m_model->setData(m_model->index(0, RunsTableModel::Note), QStringLiteral(" good "), Qt::EditRole));
        QCOMPARE(marked.size(), 2);
        const auto marks = marked.last().at(1).value<analysis::RunMarks>();
        QCOMPARE(marks.note, "good");
        QCOMPARE(marks.tags.size(), std::size_t(2));
        m_filter->setText(QStringLiteral("tag = draft"));
        QCOMPARE(m_filter->rowCount(), 1);
        ui::addTags(*m_model, m_model->idAt(0), QStringLiteral("draft, new"));
        QCOMPARE(m_model->records()[0].marks.tags.size(), std::size_t(3));
    }

    void aNewListKeepsTicksAndLooksLikeOneChange()
    {
        const QAbstractItemModelTester tester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        auto runs = sixRuns();
        m_shown->add(runs[2].id, {Qt::red}, 0);
        QSignalSpy resets(m_model.get(), &QAbstractItemModel::modelReset);
        analysis::RunRecord fresh = tableRun("SGD", 9, 0.1, 0.9);
        runs.erase(runs.begin());
        runs.insert(runs.begin(), fresh);
        m_model->setRecords(runs);
        QCOMPARE(m_model->rowCount(), 6);
        QCOMPARE(m_model->idAt(0), fresh.id);
        QVERIFY(m_model->shown().contains(runs[2].id));
        QCOMPARE(resets.size(), 0);
    }

    void figuresShowTheirDifferenceToTheBaseline()
    {
        m_model->setBaseline(m_model->idAt(5)); // SGD, seed 1: 0.1
        QCOMPARE(m_model->index(2, RunsTableModel::Loss).data().toString(), QStringLiteral("0.0500  (−50.0 %)"));
        QCOMPARE(m_model->index(5, RunsTableModel::Loss).data().toString(), QStringLiteral("0.100"));
        QCOMPARE(m_model->index(2, RunsTableModel::Accuracy).data().toString(), QStringLiteral("96.0  (+5.0 points)"));
        m_model->removeRun(m_model->idAt(5));
        QVERIFY(m_model->baseline().isEmpty());
    }

private:
    std::unique_ptr<ui::ShownRuns> m_shown;
    std::unique_ptr<RunsTableModel> m_model;
    std::unique_ptr<RunsFilter> m_filter;
};

LOCKSTEP_TEST_WITH(QGuiApplication, TestRunsFilter)
#include "test_runs_filter.moc"
