// One figure of a variant, wherever it is shown: in the table of runs, as CSV, in a report, in a chart's bar and in the
// window's table, with equal digits.
#include "program/test_class.h"
#include "ui/models/sample_runs.h"

#include "analysis/table/grouping.h"
#include "analysis/table/run_table.h"
#include "core/exchange/report/made_up_runs.h"
#include "ui/models/chart_axes.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/runs/run_columns.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace lockstep;
using namespace lockstep::test;
using analysis::Column;
using analysis::RunRecord;
using analysis::Summary;
using Values = std::vector<double>;

Q_DECLARE_METATYPE(Values)

namespace {

constexpr std::size_t Sgd = 1;
constexpr double None = analysis::NotMeasured;

/// SGD with these values of every figure that the tables show, and one run of Adam; seeds as the preset numbers them.
std::vector<RunRecord> runsOf(const Values& values)
{
    std::vector<RunRecord> runs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        runs.push_back(tests::presetRun("optimizers", Sgd, static_cast<int>(i)));
        Summary& summary = runs.back().summary;
        for (double Summary::*figure : {&Summary::finalLoss, &Summary::msPerStep, &Summary::samplesPerSecond,
                 &Summary::trainSeconds, &Summary::testAccuracy}) {
            summary.*figure = values[i];
        }
    }
    runs.push_back(tests::presetRun("optimizers", 2));
    return runs;
}

/// Drawn, but with the summary that the test made up.
std::unique_ptr<ui::RunFeed> drawnFeed(const RunRecord& run)
{
    auto delta = std::make_shared<store::Delta>();
    delta->storedLoss.push_back(
        {std::make_shared<const analysis::Curve>(analysis::Curve{{1}, {0.1}, {0.1}, {0.5}}), 2});
    auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
    deltas->push_back(delta);
    auto feed = std::make_unique<ui::RunFeed>(run, std::make_unique<ScriptedSource>(deltas));
    feed->pull();
    return feed;
}

std::string reportCell(const std::vector<RunRecord>& runs, const std::string& header)
{
    const report::Report made = report::compose(report::templateFor("optimizers"), tests::sourceOf(runs));
    const auto* table = tests::firstOf<report::Table>(made, "table:results");
    const auto column = std::ranges::find(table->header, header) - table->header.begin();
    const auto row = std::ranges::find_if(table->rows, [](const auto& cells) { return cells.front() == "SGD"; });
    return row->at(static_cast<std::size_t>(column));
}

/// The cells of the CSV's row of SGD, by header.
std::map<std::string, double> csvCells(const std::vector<analysis::RowGroup>& groups, const Column& column)
{
    analysis::TableLayout layout;
    layout.columns = {&column};
    layout.form = analysis::TableForm::Raw;
    const QStringList lines
        = QString::fromStdString(toCsv(tableOfGroups(groups, nullptr, layout))).split(u'\n', Qt::SkipEmptyParts);
    std::map<std::string, double> cells;
    const QStringList headers = lines.at(0).split(u',');
    const QStringList sgd = lines.at(1).split(u',');
    for (qsizetype i = 0; i < headers.size(); ++i) {
        bool isNumber = false;
        const double value = sgd.at(i).toDouble(&isNumber);
        cells[headers.at(i).toStdString()] = isNumber ? value : None;
    }
    return cells;
}

} // namespace

class TestOneNumber : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlaceShowsTheSame_data()
    {
        QTest::addColumn<Values>("values");
        QTest::addRow("one") << Values{0.1234};
        QTest::addRow("two") << Values{0.10, 0.12};
        QTest::addRow("three") << Values{0.91, 0.92, 0.95};
        QTest::addRow("four, far apart") << Values{0.001, 0.2, 0.5, 0.9};
        QTest::addRow("five, near") << Values{0.50001, 0.50002, 0.50003, 0.50004, 0.50005};
        QTest::addRow("equal") << Values{0.96, 0.96, 0.96};
        QTest::addRow("ones") << Values{1.0, 1.0};
        QTest::addRow("a one") << Values{1.0, 0.9, 0.95};
        QTest::addRow("a zero") << Values{0.0, 0.1, 0.2};
        QTest::addRow("zeros") << Values{0.0, 0.0};
        QTest::addRow("one missing") << Values{0.3, None, 0.4};
        QTest::addRow("all missing") << Values{None, None};
    }
    void everyPlaceShowsTheSame()
    {
        QFETCH(Values, values);
        const std::vector<RunRecord> runs = runsOf(values);
        std::vector<const RunRecord*> pointers;
        std::ranges::transform(runs, std::back_inserter(pointers), [](const RunRecord& run) { return &run; });
        const auto groups = analysis::groupRuns(pointers, {}, analysis::Interfered::LeaveOut);
        for (const auto& [name, header] : {std::pair("loss", "Last batch loss"), std::pair("accuracy", "Test accuracy"),
                 std::pair("ms_per_step", "Time per step (ms)"), std::pair("samples_per_s", "Throughput (samples/s)"),
                 std::pair("train_seconds", "Training and evaluation time (s)")}) {
            const Column& column = *analysis::findColumn(name);
            const analysis::MeanEstimate estimate = estimateOf(groups.front(), column);
            const std::string shown = estimateText(*column.figure, estimate);
            QCOMPARE(QString::fromStdString(reportCell(runs, header)), QString::fromStdString(shown));
            auto cells = csvCells(groups, column);
            const analysis::MeanEstimate written{cells[name], cells[std::string(name) + " low"],
                cells[std::string(name) + " high"], static_cast<std::size_t>(cells[std::string(name) + " n"])};
            QCOMPARE(QString::fromStdString(estimateText(*column.figure, written)), QString::fromStdString(shown));
            // The window's title has the unit.
            QCOMPARE(ui::groupedText(column, estimate), QString::fromStdString(shown).remove(QStringLiteral(" %")));
        }
        std::vector<std::unique_ptr<ui::RunFeed>> feeds;
        std::vector<ui::RunFeed*> drawn;
        for (const RunRecord& run : runs) {
            feeds.push_back(drawnFeed(run));
            drawn.push_back(feeds.back().get());
        }
        ui::ChartModel model(*ui::findChart(u"throughput"));
        model.setFeeds(drawn);
        const Column& throughput = *analysis::findColumn("samples_per_s");
        const analysis::MeanEstimate estimate = estimateOf(groups.front(), throughput);
        const ui::ChartSpec chart = model.fullChart();
        if (!std::isfinite(estimate.mean)) {
            QCOMPARE(chart.series.size(), std::size_t{1}); // Adam's
            return;
        }
        const ui::SeriesSpec& bar = chart.series.front();
        QCOMPARE(bar.y.front(), estimate.mean);
        QCOMPARE(bar.hasWhiskers, estimate.hasInterval());
        QVERIFY(!bar.hasWhiskers || (bar.low.front() == estimate.low && bar.high.front() == estimate.high));
        QCOMPARE(ui::barLabels(chart).front().text,
            QString::fromStdString(estimateTexts(*throughput.figure, estimate).mean));
    }
};

LOCKSTEP_TEST(TestOneNumber)
#include "test_one_number.moc"
