// Charts of a figure against parameters, as values: lines, points by category, cells.
#include "analysis/statistics/statistics.h"
#include "program/test_class.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/grid_runs.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The places of figures in the list.
constexpr int Accuracy = 0;
constexpr int MsPerStep = 3;

ui::ChartSpec gridChart(const char16_t* id, const GridFeeds& runs, const QString& first = {},
    const QString& second = {}, int figure = Accuracy)
{
    ui::ChartModel model(*ui::findChart(id));
    ui::ChartOptions options = model.options();
    options.first = first;
    options.second = second;
    options.choice = figure;
    model.setOptions(options);
    model.setFeeds(feedsOf(runs));
    return model.fullChart();
}

QStringList namesOf(const ui::ChartSpec& chart)
{
    QStringList names;
    for (const ui::SeriesSpec& series : chart.series) {
        names += series.name;
    }
    return names;
}

QStringList listOf(const std::vector<QString>& texts)
{
    return {texts.begin(), texts.end()};
}

} // namespace

class TestParameterCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aLineForEachValueOfTheSecond()
    {
        const GridFeeds runs = momentumByBatch(3);
        const ui::ChartSpec chart = gridChart(
            u"parameter", runs, QStringLiteral("train.batch"), QStringLiteral("optimizer.momentum"), MsPerStep);
        QCOMPARE(chart.id, QStringLiteral("parameter-ms_per_step_typical"));
        QCOMPARE(chart.title, QStringLiteral("Time per step by Batch size and Momentum"));
        QCOMPARE(chart.y.unit, QStringLiteral("ms"));
        QCOMPARE(namesOf(chart),
            (QStringList{
                QStringLiteral("Momentum 0"), QStringLiteral("Momentum 0.5"), QStringLiteral("Momentum 0.9")}));
        QVERIFY(chart.x.scale == ui::Scale::Log);
        QCOMPARE(chart.x.base, 2);
        const ui::SeriesSpec& line = chart.series.front();
        QCOMPARE(line.x, (std::vector<double>{16, 32, 64}));
        const auto expected = analysis::geometricMean(std::vector{2.1, 2.2, 2.3});
        QVERIFY(std::fabs(line.y[1] - expected.mean) < 1e-12);
        QVERIFY(std::fabs(line.high[1] - expected.high) < 1e-9 && std::fabs(line.low[1] - expected.low) < 1e-9);
        QCOMPARE(line.n, (std::vector<std::size_t>{3, 3, 3}));
        QVERIFY(line.hasWhiskers);
        QCOMPARE(line.aside, -5.0); // px: the intervals of three lines stay apart
        QCOMPARE(chart.series[1].aside, 0.0);
        QCOMPARE(chart.series[2].aside, 5.0);
        QCOMPARE(chart.series.back().x, (std::vector<double>{16, 32})); // what did not run has no point
        QCOMPARE(chart.remark, QStringLiteral("Mean over 3 seeds with its 95 % CI"));
    }

    void stepsOfARunUnderWayDrawNothingAgain()
    {
        SampleRun live("live");
        ui::ChartModel map(*ui::findChart(u"heat-map"));
        ui::ChartModel loss(*ui::findChart(u"loss"));
        map.setFeeds({live.feed.get()});
        loss.setFeeds({live.feed.get()});
        const QSignalSpy mapChanges(&map, &ui::ChartModel::changed);
        const QSignalSpy lossChanges(&loss, &ui::ChartModel::changed);
        live.addSteps(10, [](std::int64_t) { return 1.0; });
        QCOMPARE(mapChanges.size(), 0);
        QCOMPARE(lossChanges.size(), 1);
        live.end(analysis::RunStatus::Finished); // now its figures are in the map
        QVERIFY(mapChanges.size() > 0);
    }

    void numbersWithZeroAreOnALinearAxis()
    {
        const ui::ChartSpec chart = gridChart(u"parameter", momentumByBatch(1), QStringLiteral("optimizer.momentum"));
        QVERIFY(chart.x.scale == ui::Scale::Linear);
        QCOMPARE(chart.series.front().x, (std::vector<double>{0, 0.5, 0.9}));
        QVERIFY(chart.series.front().low.empty());
        QCOMPARE(chart.remark, QStringLiteral("One seed per setting, so no intervals"));
    }

    void choicesAreCategories()
    {
        GridFeeds runs;
        for (int seed = 1; seed <= 2; ++seed) {
            runs.push_back(
                finishedFeed(QStringLiteral("optimizer.name=adam optimizer.lr=0.001"), seed, 0.9 + 0.01 * seed, 1));
            runs.push_back(
                finishedFeed(QStringLiteral("optimizer.name=sgd optimizer.lr=0.1"), seed, 0.8 + 0.01 * seed, 1));
        }
        const ui::ChartSpec chart = gridChart(u"parameter", runs);
        QCOMPARE(listOf(chart.x.categories), (QStringList{QStringLiteral("SGD"), QStringLiteral("Adam")}));
        QVERIFY(chart.series.front().style == ui::SeriesStyle::Markers); // no line between choices
        QVERIFY(std::fabs(chart.series.front().y[0] - 81.5) < 1e-9);
        QVERIFY(std::fabs(chart.series.front().y[1] - 91.5) < 1e-9);
        QVERIFY2(chart.remark.contains(QStringLiteral("Changes together with Optimizer: Learning rate")),
            qPrintable(chart.remark));
        QVERIFY(gridChart(u"heat-map", runs).series.empty()); // one parameter is no map
    }

    void cellsSayValueIntervalAndWhatDidNotRun()
    {
        const ui::ChartSpec chart = gridChart(
            u"heat-map", momentumByBatch(3), QStringLiteral("train.batch"), QStringLiteral("optimizer.momentum"));
        QCOMPARE(listOf(chart.x.categories), (QStringList{"16", "32", "64"}));
        QCOMPARE(listOf(chart.y.categories), (QStringList{"0", "0.5", "0.9"}));
        QCOMPARE(chart.cells.label, QStringLiteral("Test accuracy"));
        QCOMPARE(chart.series.size(), std::size_t{3});
        const ui::SeriesSpec& last = chart.series.back();
        QVERIFY(last.style == ui::SeriesStyle::Cells);
        QVERIFY(std::fabs(last.y[0] - 92.8) < 1e-9);
        QVERIFY2(last.texts[0].startsWith(QStringLiteral("92.8\n[")), qPrintable(last.texts[0]));
        QVERIFY(std::isnan(last.y[2]));
        QCOMPARE(last.texts[2], QStringLiteral("not run"));
        QCOMPARE(last.n[2], std::size_t{0});
        QVERIFY2(chart.remark.startsWith(QStringLiteral("Test accuracy (%): pale 86.8 to strong 93.8")),
            qPrintable(chart.remark));
        const ui::ChartSpec times = gridChart(u"heat-map", momentumByBatch(3), {}, {}, MsPerStep);
        QVERIFY2(times.series[0].texts[0].contains(QStringLiteral("\n[")), qPrintable(times.series[0].texts[0]));
    }

    void aRunWithoutTheFigureIsNoMissingRun()
    {
        GridFeeds runs = momentumByBatch(1);
        runs.push_back(finishedFeed(
            QStringLiteral("optimizer.momentum=0.9 train.batch=64"), 1, std::numeric_limits<double>::quiet_NaN(), 1));
        const ui::ChartSpec chart
            = gridChart(u"heat-map", runs, QStringLiteral("train.batch"), QStringLiteral("optimizer.momentum"));
        QCOMPARE(chart.series.back().texts[2], QStringLiteral("–"));
    }

    void aThirdParameterMakesBlocksOfRows()
    {
        GridFeeds runs = momentumByBatch(1, QStringLiteral("optimizer.lr=0.1"));
        for (auto& run : momentumByBatch(1, QStringLiteral("optimizer.lr=0.01"))) {
            runs.push_back(std::move(run));
        }
        const ui::ChartSpec chart
            = gridChart(u"heat-map", runs, QStringLiteral("train.batch"), QStringLiteral("optimizer.momentum"));
        QCOMPARE(chart.series.size(), std::size_t{6});
        QCOMPARE(chart.series[0].name, QStringLiteral("Momentum 0, Learning rate 0.01"));
        QCOMPARE(chart.series[1].width, 1.0);
        QCOMPARE(chart.series[3].width, 2.0);
    }

    void theModelOffersWhatVaries()
    {
        const GridFeeds runs = momentumByBatch(2);
        ui::ChartModel model(*ui::findChart(u"heat-map"));
        model.setFeeds(feedsOf(runs));
        const ui::ParameterChoices offered = model.parameters();
        QCOMPARE(offered.offered.size(), std::size_t{2});
        QVERIFY(offered.first != offered.second && !offered.second.isEmpty());
        QCOMPARE(model.choices().size(), std::size_t{2});
        QCOMPARE(model.choices().front().text, QStringLiteral("Test accuracy"));
        const ui::Feeds feeds = [&] {
            const auto all = feedsOf(runs);
            return ui::Feeds(all.begin(), all.end());
        }();
        QVERIFY(ui::findChart(u"heat-map")->applies(ui::RunMix(feeds)));
        QVERIFY(!ui::findChart(u"heat-map")->applies(ui::RunMix(ui::Feeds{feeds[0], feeds[2]})));
        QVERIFY(ui::findChart(u"parameter")->applies(ui::RunMix(ui::Feeds{feeds[0], feeds[2]})));
        QVERIFY(!ui::findChart(u"parameter")->applies(ui::RunMix(ui::Feeds{feeds[0], feeds[1]}))); // two seeds
    }
};

LOCKSTEP_TEST(TestParameterCharts)
#include "test_parameter_charts.moc"
