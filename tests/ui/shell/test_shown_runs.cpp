// One set of runs is shown: whatever a user does, charts, ticks, findings, report and export are about the same runs
// and say so in the same words. Runs are made up, or carried out by the queue with fake ranks.
#include "language/wording.h"
#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/export/preset_feeds.h"
#include "ui/models/runs/run_tree.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/pages/report/findings_page.h"
#include "ui/pages/report/report_page.h"
#include "ui/pages/runs/run_list.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/view_modes.h"
#include "ui/shell/window_fixture.h"

#include <QLabel>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <algorithm>
#include <array>
#include <random>
#include <set>

using namespace lockstep;
using namespace lockstep::tests;
using ui::RunsTableModel;

namespace {

using Runs = std::set<RunId>;

constexpr int StepsOfASequence = 8;
constexpr int StepsUnderTheQueue = 4; ///< some start processes
constexpr std::array Experiments{"optimizers", "aggregation"};

/// What should be shown, by the rules alone.
struct Expected {
    Runs shown;
    Runs off; ///< in the legends
    Runs kept;

    void remove(const RunId& id)
    {
        shown.erase(id);
        off.erase(id);
        kept.erase(id);
    }
    void show(const RunId& id)
    {
        shown.insert(id);
        off.erase(id);
    }
    void dropUnkept()
    {
        const auto isDropped = [this](const RunId& id) { return !kept.contains(id); };
        std::erase_if(shown, isDropped);
        std::erase_if(off, isDropped);
    }
};

Runs idsIn(const std::vector<RunId>& ids)
{
    return {ids.begin(), ids.end()};
}

/// Those whose losses the chart draws; what is exported has the same value.
Runs drawnIn(const ui::ChartPanel& panel)
{
    ui::ChartOptions options = panel.model().options();
    options.showsSeeds = true; // a curve a run
    panel.model().setOptions(options);
    Runs drawn;
    for (const ui::SeriesSpec& series : panel.shownChart().series) {
        if (series.isVisible && series.key.contains(QStringLiteral("/loss"))) {
            drawn.insert(RunId{series.key.section(u'/', 0, 0).toStdString()});
        }
    }
    return drawn;
}

Runs tickedIn(const RunsTableModel& table)
{
    Runs ticked;
    for (int row = 0; row < table.rowCount(); ++row) {
        if (table.index(row, RunsTableModel::Name).data(Qt::CheckStateRole).toInt() == Qt::Checked) {
            ticked.insert(table.idAt(row));
        }
    }
    return ticked;
}

/// Whether each variant in the list at the left has the tick of its runs.
bool agrees(QTreeWidget& list, const Runs& shown)
{
    for (QTreeWidgetItemIterator at(&list); *at != nullptr; ++at) {
        const QStringList ids = (*at)->data(0, Qt::UserRole + 1).toStringList();
        const auto count = std::ranges::count_if(
            ids, [&shown](const QString& id) { return shown.contains(RunId{id.toStdString()}); });
        const auto state = count == 0 ? Qt::Unchecked : count == ids.size() ? Qt::Checked : Qt::PartiallyChecked;
        if (!ids.isEmpty() && (*at)->checkState(0) != state) {
            return false;
        }
    }
    return true;
}

bool isSaidBy(const QWidget& page, const QString& words)
{
    return std::ranges::any_of(
        page.findChildren<QLabel*>(), [&words](const QLabel* label) { return label->text().contains(words); });
}

/// The sentence of a report on the runs that it is based on.
QString basisOf(const report::Report& report)
{
    for (const report::Block& block : report.blocks) {
        const auto* text = std::get_if<report::Paragraph>(&block.content);
        if (text != nullptr && text->text.starts_with("This report is based on ")) {
            return QString::fromStdString(text->text);
        }
    }
    return {};
}

} // namespace

class TestShownRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        isolate(m_settings);
        ui::applyLanguage(ui::Language::English);
    }

    void allSayTheSame_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 20; ++seed) {
            QTest::addRow("%u", seed) << seed;
        }
    }

    void allSayTheSame()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const QTemporaryDir folder;
        m_store = *store::RunStore::open(folder.path());
        m_batches = 0;
        ui::settings::form.write({});
        ui::MainWindow window(folder.path());
        window.show();
        window.modes().twoCharts().setOn(true);
        Expected expected;
        begin(window, expected, Experiments[0]);
        check(window, expected.shown);
        for (int step = 0; step < StepsOfASequence && !QTest::currentTestFailed(); ++step) {
            const int what = static_cast<int>(random() % 9);
            change(window, expected, what, random());
            check(window, expected.shown);
            if (QTest::currentTestFailed()) {
                qWarning("after step %d, which was %d", step, what);
            }
        }
        m_store.reset();
    }

    void allSayTheSameUnderTheQueue_data() { allSayTheSame_data(); }

    /// The queue carries runs out, one experiment or two in line, and runs are ticked, renamed and deleted between.
    void allSayTheSameUnderTheQueue()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const QTemporaryDir folder;
        qputenv("LOCKSTEP_RANK", FakeRank.toUtf8());
        qputenv("LOCKSTEP_FAKE", "steps=40,rate=0,evaluate=20");
        const auto window = openWindow(folder.path());
        window->modes().twoCharts().setOn(true);
        carryOut(*window, 1);
        for (int step = 0; step < StepsUnderTheQueue && !QTest::currentTestFailed(); ++step) {
            const int what = static_cast<int>(random() % 5);
            changeUnderTheQueue(*window, what, random());
            check(*window, idsIn(window->controller().shown().runs().ids()));
            if (QTest::currentTestFailed()) {
                qWarning("after step %d, which was %d", step, what);
            }
        }
    }

    /// What is left out, and why, is in the words.
    void wordsSayWhatIsLeftOut()
    {
        std::vector<analysis::RunRecord> runs;
        QCOMPARE(language::runCount(runs), std::string("no runs"));
        for (int repeat = 0; repeat < 3; ++repeat) {
            for (std::size_t variant = 0; variant < 2; ++variant) {
                runs.push_back(test::presetRecord("optimizers", variant, repeat));
                runs.back().status = analysis::RunStatus::Finished;
                if (runs.size() == 1) {
                    QCOMPARE(language::runCount(runs), std::string("1 run"));
                }
            }
        }
        QCOMPARE(language::runCount(runs), std::string("6 runs of 2 variants"));
        runs[0].summary.interference.isPaused = true;
        QCOMPARE(language::runCount(runs), std::string("6 runs of 2 variants, 1 left out (changed by hand)"));
        QCOMPARE(language::runCount(runs, analysis::Interfered::Include), std::string("6 runs of 2 variants"));
        runs[1].status = analysis::RunStatus::Failed;
        runs[2].status = analysis::RunStatus::Running;
        QCOMPARE(language::runCount(runs),
            std::string("6 runs of 2 variants, 3 left out (changed by hand, not finished, not ended yet)"));
    }

private:
    /// Starts experiments and waits for all of them: the last one's runs are shown then.
    void carryOut(ui::MainWindow& window, int experiments)
    {
        for (int i = 0; i < experiments; ++i) {
            const std::vector<std::string> only{"SGD", "Adam"};
            auto spec = experiment::customise(*experiment::preset("optimizers"), {}, only);
            spec->repeats = 1;
            window.controller().start(*experiment::expand(*spec));
        }
        QTRY_VERIFY_WITH_TIMEOUT(!window.controller().isBusy(), 30'000);
        std::vector<analysis::RunRecord> newest = window.controller().table().records();
        QVERIFY(newest.size() >= 2);
        std::ranges::sort(newest, std::ranges::greater(), &analysis::RunRecord::createdNs);
        newest.resize(2);
        const Runs shown = idsIn(window.controller().shown().runs().ids());
        QVERIFY(std::ranges::all_of(newest, [&](const analysis::RunRecord& run) { return shown.contains(run.id); }));
    }

    void changeUnderTheQueue(ui::MainWindow& window, int what, unsigned which)
    {
        RunsTableModel& table = window.controller().table();
        if (what < 2 || table.rowCount() == 0) {
            return carryOut(window, 1 + what % 2);
        }
        const int row = static_cast<int>(which % static_cast<unsigned>(table.rowCount()));
        const QModelIndex name = table.index(row, RunsTableModel::Name);
        const RunId id = table.idAt(row);
        if (what == 2) {
            const bool isOn = name.data(Qt::CheckStateRole).toInt() == Qt::Checked;
            table.setData(name, isOn ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
        } else if (what == 3) {
            table.setData(name, QStringLiteral("name %1").arg(which), Qt::EditRole);
        } else {
            window.controller().store().remove(id);
            QTRY_VERIFY(table.record(id) == nullptr);
        }
    }

    /// An experiment of two variants is in the store, and has just begun as far as the window knows.
    void begin(ui::MainWindow& window, Expected& expected, const char* experiment)
    {
        const QStringList ids = test::storedPreset(*m_store, experiment, 2, m_batches++);
        QCOMPARE(ids.size(), 2);
        std::vector<std::unique_ptr<ui::RunFeed>> feeds;
        expected.dropUnkept();
        for (const analysis::RunRecord& record : m_store->list()) {
            const auto variant = ids.indexOf(QString::fromStdString(record.id.text));
            if (variant >= 0) {
                window.controller().table().upsert(record);
                feeds.push_back(test::feedOf(record, static_cast<std::size_t>(variant)));
                expected.show(record.id);
            }
        }
        window.controller().shown().begin(std::move(feeds));
    }

    void tick(ui::MainWindow& window, Expected& expected, int row)
    {
        RunsTableModel& table = window.controller().table();
        const QModelIndex name = table.index(row, RunsTableModel::Name);
        const RunId id = table.idAt(row);
        const bool isOn = name.data(Qt::CheckStateRole).toInt() != Qt::Checked;
        isOn ? expected.show(id) : expected.remove(id);
        table.setData(name, isOn ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
    }

    void toggle(ui::MainWindow& window, Expected& expected, const RunId& id)
    {
        window.tabs().toggleRun(QString::fromStdString(id.text) + QStringLiteral("/loss-smoothed"));
        if (expected.shown.erase(id) > 0) {
            expected.off.insert(id);
        } else if (expected.off.contains(id)) {
            expected.show(id);
        }
    }

    void open(ui::MainWindow& window, Expected& expected, const char* experiment)
    {
        const std::vector<RunId> newest = ui::newestBatchOf(window.controller().table().records(), experiment);
        ui::showBesideKept(window.controller(), newest);
        expected.dropUnkept();
        for (const RunId& id : newest) {
            expected.show(id);
        }
        for (const RunId& id : Runs(expected.kept)) {
            expected.show(id);
        }
    }

    void change(ui::MainWindow& window, Expected& expected, int what, unsigned which)
    {
        ui::RunController& controller = window.controller();
        RunsTableModel& table = controller.table();
        const int row = table.rowCount() == 0 ? -1 : static_cast<int>(which % static_cast<unsigned>(table.rowCount()));
        const RunId id = table.idAt(row);
        const char* experiment = Experiments[which % Experiments.size()];
        if (what == 0) {
            begin(window, expected, experiment);
        } else if (what == 1) { // one waits behind the other in the queue
            begin(window, expected, experiment);
            begin(window, expected, Experiments[0]);
        } else if (what == 2) {
            controller.shown().keepShown(true);
            expected.kept.insert(expected.shown.begin(), expected.shown.end());
        } else if (what == 3) {
            controller.shown().keepShown(false);
            expected.kept.clear();
        } else if (what == 4) {
            open(window, expected, experiment);
        } else if (row >= 0 && what == 5) {
            table.setData(table.index(row, RunsTableModel::Name), QStringLiteral("name %1").arg(which), Qt::EditRole);
        } else if (row >= 0 && what == 6) {
            Q_EMIT controller.store().removed(id);
            expected.remove(id);
        } else if (row >= 0 && what == 7) {
            toggle(window, expected, id);
        } else if (row >= 0) {
            tick(window, expected, row);
        }
    }

    void check(ui::MainWindow& window, const Runs& shown)
    {
        ui::RunController& controller = window.controller();
        ui::RunTabs& tabs = window.tabs();
        QCOMPARE(idsIn(controller.shown().runs().ids()), shown);
        QCOMPARE(tickedIn(controller.table()), shown);
        QTRY_VERIFY(std::ranges::none_of(controller.shown().inLegends(), &ui::RunFeed::isReading));
        auto* loss = window.findChild<ui::ChartPanel*>(QStringLiteral("loss"));
        QVERIFY(loss != nullptr);
        QTRY_COMPARE(drawnIn(*loss), shown);
        ui::SecondChart& second = window.modes().twoCharts().second();
        second.choose(QStringLiteral("loss"));
        QVERIFY(second.panel() != nullptr);
        QCOMPARE(drawnIn(*second.panel()), shown);
        QTRY_VERIFY(agrees(*window.findChild<ui::RunList*>()->findChild<QTreeWidget*>(), shown));
        auto* findings = window.findChild<ui::FindingsPage*>();
        tabs.setCurrentWidget(findings);
        QCOMPARE(idsIn(findings->runs()), shown);
        auto* report = window.findChild<ui::ReportPage*>();
        tabs.setCurrentWidget(report);
        QCOMPARE(idsIn(report->draft().runs()), shown);
        if (shown.empty()) {
            QTRY_VERIFY(isSaidBy(*window.findChild<ui::RunsPage*>(), QStringLiteral("none in the charts")));
            return;
        }
        const QString words = ui::shownCount(controller.table());
        QVERIFY2(findings->toPlainText().contains(words), qPrintable(words));
        QVERIFY2(basisOf(report->draft().report()).startsWith(QStringLiteral("This report is based on ") + words),
            qPrintable(words));
        QTRY_VERIFY(isSaidBy(*window.findChild<ui::RunsPage*>(), words));
    }

    QTemporaryDir m_settings;
    std::unique_ptr<store::RunStore> m_store;
    int m_batches = 0;
};

LOCKSTEP_WINDOW_TEST(TestShownRuns)
#include "test_shown_runs.moc"
