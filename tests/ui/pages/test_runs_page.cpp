// The table of runs as a page: filter, groups, columns, export, marks, several windows on one store. Pictures in
// build/screenshots.
#include "core/analysis/table/table_runs.h"
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/charts/chart_view.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/runs/clean_up.h"
#include "ui/pages/runs/run_differences.h"
#include "ui/pages/runs/runs_actions.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_view.h"
#include "ui/shell/window_fixture.h"

#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using ui::RunsFileFormat;
using ui::RunsPage;
using ui::RunsTableModel;

namespace {

/// Three seeds of three optimizers, one of them changed by hand, one failed, one with other settings.
std::vector<analysis::RunRecord> nineRuns()
{
    std::vector<analysis::RunRecord> runs;
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        for (const char* name : {"GD", "SGD", "Adam"}) {
            const bool isAdam = std::string(name) == "Adam";
            const double noise = 0.003 * double(seed);
            runs.push_back(tableRun(name, seed, (isAdam ? 0.052 : 0.11) + noise, (isAdam ? 0.961 : 0.918) - noise));
            analysis::RunRecord& run = runs.back();
            run.id.text = "20261120-12000" + std::to_string(runs.size()) + "-abcd";
            run.createdNs += 1'000'000'000LL * std::int64_t(runs.size());
            run.summary.msPerStep = isAdam ? 0.42 + noise : 0.31 + noise;
            run.summary.bestLoss = run.summary.finalLoss * 0.9;
        }
    }
    runs[4].summary.interference.isSlowed = true;
    runs[6].status = analysis::RunStatus::Failed;
    runs[6].message = "rank 0 ended with exit code 1";
    runs[6].summary = {};
    runs[8].spec.settings["optimizer.lr"] = 0.0025;
    runs[8].spec.settings["train.batch"] = std::int64_t(128);
    runs[8].marks = {{"paper"}, "larger batch", true};
    std::ranges::reverse(runs);
    return runs;
}

template <typename Child>
Child* childWithName(QWidget& widget, const QString& name)
{
    for (Child* child : widget.findChildren<Child*>()) {
        if (child->accessibleName() == name) {
            return child;
        }
    }
    return nullptr;
}

} // namespace

class TestRunsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        isolate(m_settings);
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        QVERIFY(QDir().mkpath(m_folder));
    }
    void init()
    {
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
        QSettings().clear();
    }

    void pictures_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("en-light-760x240") << false << false << QSize(760, 240);
        QTest::newRow("en-light-420x200") << false << false << QSize(420, 200);
        QTest::newRow("zh-dark-760x240") << true << true << QSize(760, 240);
        QTest::newRow("zh-light-420x200") << true << false << QSize(420, 200);
        QTest::newRow("en-dark-1280x500") << false << true << QSize(1280, 500);
        QTest::newRow("zh-light-1280x500") << true << false << QSize(1280, 500);
    }
    void pictures()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        ui::ShownRuns shown;
        RunsTableModel model;
        model.follow(shown);
        RunsPage page(model);
        model.setRecords(nineRuns());
        shown.add(model.idAt(0), {QColor(0xee7733)}, 0);
        shown.add(model.idAt(1), {QColor(0x0077bb)}, 1);
        shown.tell();
        page.resize(size);
        page.show();
        QVERIFY(page.width() == size.width()); // nothing asks for more room
        save(page, "runs");
        model.setBaseline(model.idAt(7));
        page.filter().setText(QStringLiteral("accuracy > 0.9 and net = mlp and"));
        save(page, "runs-baseline");
        page.groupBy({});
        page.filter().setText({});
        save(page, "groups");
        page.groupBy({analysis::findColumn("optimizer.name"), analysis::findColumn("dataset.name")});
        save(page, "groups-by");
    }

    void theFilterIsTyped()
    {
        RunsTableModel model;
        RunsPage page(model);
        model.setRecords(nineRuns());
        page.show();
        auto* search = childWithName<QLineEdit>(page, QStringLiteral("Filter runs"));
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, QStringLiteral("accuracy > 0.95"));
        QCOMPARE(page.filter().rowCount(), 3);
        QTRY_VERIFY(saysSomewhere(page, QStringLiteral("3 of 9 runs, none in the charts")));
        search->setText(QStringLiteral("accuracy > 0.95 and nett = cnn"));
        QVERIFY(saysSomewhere(page, QStringLiteral("\"nett\" is unknown; did you mean net.name?")));
        QCOMPARE(page.filter().rowCount(), 3); // while one types, the rows stay
        search->clear();
        QTRY_VERIFY(saysSomewhere(page, QStringLiteral("9 runs, none in the charts")));
    }

    void columnsAreChosenAndRemembered()
    {
        RunsTableModel model;
        RunsPage page(model);
        page.show();
        model.setRecords(nineRuns());
        auto* view = page.findChild<ui::RunsView*>();
        const int lr = model.ensureColumn(*analysis::findColumn("optimizer.lr"));
        view->showColumn(lr, true);
        view->showColumn(RunsTableModel::Accuracy, false);
        view->sortByColumn(lr, Qt::AscendingOrder);
        const QByteArray state = page.headerState();
        RunsTableModel second;
        RunsPage other(second);
        other.restoreHeaderState(state);
        auto* restored = other.findChild<ui::RunsView*>();
        QCOMPARE(other.headerState(), state);
        QVERIFY(restored->isColumnHidden(RunsTableModel::Accuracy));
        QVERIFY(!restored->isColumnHidden(second.ensureColumn(*analysis::findColumn("optimizer.lr"))));
        other.restoreHeaderState("no JSON");
        QCOMPARE(other.headerState(), state);
        QVERIFY(page.exportedText(RunsFileFormat::Csv).find("optimizer.lr") != std::string::npos);
        QVERIFY(page.exportedText(RunsFileFormat::Csv).find("accuracy") == std::string::npos);
    }

    void exportsWhatIsShown()
    {
        RunsTableModel model;
        RunsPage page(model);
        auto runs = nineRuns();
        runs[0].label = "=HYPERLINK(\"x\")";
        model.setRecords(runs);
        page.filter().setText(QStringLiteral("optimizer = adam"));
        const std::string csv = page.exportedText(RunsFileFormat::Csv);
        QVERIFY(csv.find("\"'=HYPERLINK(\"\"x\"\")\"") != std::string::npos);
        QCOMPARE(std::ranges::count(csv, '\n'), 4);
        page.groupBy({analysis::findColumn("optimizer.name")});
        model.setBaseline(runs[1].id);
        page.filter().setText({});
        QTest::qWait(20);
        const std::string grouped = page.exportedText(RunsFileFormat::Csv);
        QVERIFY2(grouped.starts_with("optimizer.name,n,loss,loss low,loss high,loss n,loss difference in percent"),
            grouped.c_str());
        const std::string latex = page.exportedText(RunsFileFormat::Latex);
        QVERIFY2(latex.find("0.0580 {[}0.0510, 0.0660{]}") != std::string::npos
                && latex.find("\\bottomrule") != std::string::npos,
            latex.c_str());
    }

    /// Defect 17: a name is whole where there is room, and columns say what experiment, data and differences there are.
    void namesHaveTheSpareRoom()
    {
        RunsTableModel model;
        RunsPage page(model);
        auto runs = nineRuns();
        runs[0].label = "Adam with a larger batch";
        model.setRecords(runs);
        page.resize(1280, 300);
        page.show();
        QTest::qWait(60);
        const auto* view = page.findChild<ui::RunsView*>();
        const int text = view->fontMetrics().horizontalAdvance(QStringLiteral("Adam with a larger batch"));
        QVERIFY2(view->columnWidth(RunsTableModel::Name) > text + 30, // the tick and the colour
            qPrintable(QString::number(view->columnWidth(RunsTableModel::Name))));
        for (const int column : {RunsTableModel::Experiment, RunsTableModel::Data, RunsTableModel::Changed}) {
            QVERIFY(!view->isColumnHidden(column));
            QVERIFY(!model.index(0, column).data().toString().isEmpty());
        }
        const int largerBatch = model.rowOf(runs[0].id);
        const QString differs = model.index(largerBatch, RunsTableModel::Changed).data().toString();
        QVERIFY2(differs.contains(QStringLiteral("128")), qPrintable(differs));
    }

    void oldRunsAreDeletedByRule()
    {
        RunsTableModel model;
        model.setRecords(nineRuns()); // a year old
        QWidget parent;
        std::vector<RunId> deleted;
        ui::openCleanUp(model, &parent, [&](const std::vector<RunId>& ids) { deleted = ids; });
        auto* dialog = parent.findChild<QDialog*>();
        QVERIFY(dialog != nullptr);
        const auto button = dialog->findChildren<QPushButton*>().last();
        QVERIFY(!button->isEnabled()); // the newest three of each variant stay
        dialog->findChildren<QSpinBox*>().last()->setValue(1);
        QVERIFY(dialog->grab().save(m_folder + QStringLiteral("/clean-up.png")));
        QVERIFY(button->isEnabled());
        button->click();
        QCOMPARE(deleted.size(), std::size_t(6));
        QVERIFY(std::ranges::find(deleted, model.idAt(0)) == deleted.end()); // pinned
    }

    void whatDiffersIsATable()
    {
        RunsTableModel model;
        model.setRecords(nineRuns());
        QWidget parent;
        ui::showRunDifferences({model.record(model.idAt(0)), model.record(model.idAt(3))}, &parent);
        auto* table = parent.findChild<QTableWidget*>();
        QVERIFY(table != nullptr);
        QStringList rows;
        for (int row = 0; row < table->rowCount(); ++row) {
            rows += table->verticalHeaderItem(row)->text() + QStringLiteral(": ") + table->item(row, 0)->text()
                + QStringLiteral(" / ") + table->item(row, 1)->text();
        }
        QVERIFY2(rows.contains(QStringLiteral("Batch size: 128 / 64")), qPrintable(rows.join(u'\n')));
        QVERIFY2(!rows.filter(QStringLiteral("Last batch loss: ")).isEmpty(), qPrintable(rows.join(u'\n')));
        QVERIFY2(rows.filter(QStringLiteral("Seed")).isEmpty(), qPrintable(rows.join(u'\n')));
        QVERIFY(parent.findChild<QDialog*>()->grab().save(m_folder + QStringLiteral("/what-differs.png")));
    }

    void aSecondWindowSeesTheFirstsRuns()
    {
        const QTemporaryDir store;
        const auto first = openWindow(store.path());
        const auto second = openWindow(store.path());
        QTest::qWait(100);
        const RunId id = storeRun(store.path(), 1);
        QTRY_COMPARE(second->controller().table().rowCount(), 1);
        QTRY_COMPARE(first->controller().table().rowCount(), 1);
        second->controller().showRun(id);
        analysis::RunMarks marks;
        marks.tags = {"seen"};
        first->controller().table().setMarks(id, marks);
        QTRY_VERIFY(second->controller().table().record(id)->marks == marks);
        QVERIFY(second->controller().table().shown().contains(id)); // a new list takes no tick away
        first->controller().store().remove(id);
        QTRY_COMPARE(second->controller().table().rowCount(), 0);
        QTRY_VERIFY(second->controller().feeds().empty());
    }

    /// Defect 10, and the legend; findings: test_findings_page.
    void aRenameReachesTheCharts()
    {
        const QTemporaryDir store;
        const auto window = openWindow(store.path());
        RunsTableModel& table = window->controller().table();
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=0");
        window->controller().start({window->form().runs().front()});
        QTRY_VERIFY(table.rowCount() == 1 && !window->controller().isBusy());
        table.setData(table.index(0, RunsTableModel::Name), QStringLiteral("mine"), Qt::EditRole);
        QCOMPARE(window->controller().feeds().front()->displayName(), QStringLiteral("mine"));
        window->tabs().setCurrentIndex(window->tabs().viewOf(*ui::findChart(u"loss")));
        const auto* view = window->tabs().currentWidget()->findChild<ui::ChartView*>();
        const auto isInLegend = [&] {
            const auto& curves = view->chart().series;
            return std::ranges::any_of(
                curves, [](const ui::SeriesSpec& curve) { return curve.name == QStringLiteral("mine"); });
        };
        QTRY_VERIFY(isInLegend());
    }

    /// Undo lies over the table and moves nothing.
    void undoMovesNothing()
    {
        RunsTableModel model;
        model.setRecords(nineRuns());
        RunsPage page(model);
        page.resize(800, 260);
        page.show();
        QTest::qWait(30);
        const auto tables = page.findChildren<QTableView*>();
        const auto* table = *std::ranges::find_if(tables, &QWidget::isVisible); // of runs, not of groups
        const QRect before(table->mapTo(&page, QPoint()), table->size());
        page.offerUndo(model.idAt(0), QStringLiteral("SGD"));
        QTest::qWait(50);
        const auto* strip = page.findChild<ui::MessageStrip*>();
        QVERIFY(strip->isVisible());
        QCOMPARE(QRect(table->mapTo(&page, QPoint()), table->size()), before);
        QVERIFY(QRect(strip->mapTo(&page, QPoint()), strip->size()).intersects(before)); // over it
    }

    /// A new experiment shows its own runs, beside those that *Keep these* pins, until they are unpinned.
    void aNewRunShowsItsOwnBesideWhatIsKept()
    {
        const QTemporaryDir store;
        const RunId id = storeRun(store.path(), 1);
        const auto window = openWindow(store.path());
        ui::RunController& controller = window->controller();
        const ui::RunsActions& actions = window->findChild<RunsPage*>()->actions();
        QTRY_COMPARE(controller.table().rowCount(), 1);
        qputenv("LOCKSTEP_FAKE", "steps=5,rate=0");
        const auto runOne = [&] {
            controller.start({window->form().runs().front()});
            QTRY_VERIFY(!controller.isBusy());
        };
        controller.showRun(id);
        runOne();
        QCOMPARE(controller.feeds().size(), std::size_t(1));
        QVERIFY(!controller.table().shown().contains(id));
        controller.showRun(id);
        QTRY_VERIFY(actions.keep->isEnabled() && !actions.unpin->isEnabled());
        actions.keep->trigger();
        runOne();
        QCOMPARE(controller.feeds().size(), std::size_t(3));
        QVERIFY(controller.table().shown().contains(id));
        QTRY_VERIFY(actions.unpin->isEnabled());
        actions.unpin->trigger();
        runOne();
        QCOMPARE(controller.feeds().size(), std::size_t(1));
    }

    /// While its experiment runs, too: what is unticked is in no chart, finding or report, and is received all the
    /// same.
    void whatIsUntickedIsNowhere()
    {
        const QTemporaryDir store;
        const auto window = openWindow(store.path());
        ui::RunController& controller = window->controller();
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=500");
        controller.start({window->form().runs().front()});
        QTRY_VERIFY(!controller.feeds().empty() && controller.feeds().front()->loss().size() > 20);
        const RunId id = controller.feeds().front()->id();
        controller.shown().hide(id);
        QVERIFY(controller.isBusy());
        QVERIFY(controller.feeds().empty() && !controller.table().shown().contains(id));
        const ui::RunFeed* received = controller.shown().find(id);
        QVERIFY(received != nullptr);
        const std::size_t before = received->loss().size();
        QTRY_VERIFY(received->loss().size() > before + 20);
        controller.showRun(id);
        QCOMPARE(controller.feeds().size(), std::size_t(1));
        QCOMPARE(controller.feeds().front(), received);
        controller.stopAll();
        QTRY_VERIFY(!controller.isBusy());
    }

private:
    void save(RunsPage& page, const char* name)
    {
        QTest::qWait(60);
        QVERIFY(page.grab().save(
            QStringLiteral("%1/%2-%3.png").arg(m_folder, QLatin1String(name), QLatin1String(QTest::currentDataTag()))));
    }
    static bool saysSomewhere(RunsPage& page, const QString& text)
    {
        return std::ranges::any_of(
            page.findChildren<QLabel*>(), [&](const QLabel* label) { return label->text() == text; });
    }
    static RunId storeRun(const QString& folder, std::int64_t seed)
    {
        const auto store = store::RunStore::open(folder);
        analysis::RunRecord run = tableRun("SGD", seed, 0.1, 0.9);
        auto writer = (*store)->create(run);
        const bool isStored = writer.isOk() && (*writer)->finish(analysis::RunStatus::Finished, "", run.summary).isOk();
        return isStored ? run.id : RunId{};
    }

    QTemporaryDir m_settings;
    const QString m_folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");
};

LOCKSTEP_WINDOW_TEST(TestRunsPage)
#include "test_runs_page.moc"
