#include "program/test_class.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/pyramid.h"
#include "ui/models/sample_runs.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr double Nan = std::numeric_limits<double>::quiet_NaN();

const ui::SeriesSpec* find(const ui::ChartSpec& chart, const QString& key)
{
    const auto at = std::find_if(
        chart.series.begin(), chart.series.end(), [&](const ui::SeriesSpec& each) { return each.key == key; });
    return at == chart.series.end() ? nullptr : &*at;
}

QString keyOf(const SampleRun& run, const char* tail)
{
    return QString::fromStdString(run.feed->id().text) + QLatin1String(tail);
}

/// TensorBoard's loop, word for word but for the language.
std::vector<double> tensorBoard(const std::vector<double>& values, double weight)
{
    const bool isConstant
        = std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
    double last = 0.0;
    int count = 0;
    std::vector<double> smoothed;
    for (const double next : values) {
        if (isConstant || !std::isfinite(next)) {
            smoothed.push_back(next);
            continue;
        }
        last = last * weight + (1.0 - weight) * next;
        ++count;
        smoothed.push_back(last / (1.0 - std::pow(weight, count)));
    }
    return smoothed;
}

/// `settings` as JSON: `"strategy.name":"data"`.
experiment::RunSpec specOf(const std::string& settings)
{
    return *experiment::parseRunSpec(R"({"version":1,"experiment":"aggregation","base":{)" + settings + "}}");
}

/// Rows of 10 ms each; a step adds 40 samples.
wire::StepBatch rowsOf(const std::vector<std::int64_t>& steps, std::int64_t samples, double loss)
{
    wire::StepBatch rows;
    for (const std::int64_t step : steps) {
        StepRow row{.step = step,
            .endNs = 1'000'000'000 + step * 10'000'000,
            .wallNs = 10'000'000,
            .samples = step * 40,
            .batch = samples,
            .loss = loss,
            .learningRate = 0.1};
        row.phaseNs.fill(1'000'000);
        rows.rows.push_back(row);
    }
    return rows;
}

/// Rank 0 with three steps of 30 samples, rank 1 with two of 10.
std::shared_ptr<store::Delta> stepsOfTwoRanks()
{
    auto delta = std::make_shared<store::Delta>();
    wire::Hello hello;
    hello.worldSize = 2;
    delta->hellos = {{0, hello}, {1, hello}};
    wire::Prepared facts;
    facts.trainSamples = 100;
    facts.totalSteps = 4;
    delta->prepared = {{0, facts}};
    delta->steps.push_back({0, rowsOf({1, 2, 3}, 30, 1.0)});
    delta->steps.push_back({1, rowsOf({1, 2}, 10, 3.0)});
    return delta;
}

} // namespace

class TestChartValues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void smoothingIsTensorBoards_data()
    {
        QTest::addColumn<double>("weight");
        QTest::addColumn<bool>("hasNan");
        QTest::addRow("0.6") << 0.6 << false;
        QTest::addRow("0.99") << 0.99 << false;
        QTest::addRow("with NaN") << 0.9 << true;
    }

    void smoothingIsTensorBoards()
    {
        QFETCH(double, weight);
        QFETCH(bool, hasNan);
        SampleRun run("SGD");
        // In pieces, as live data comes.
        for (int piece = 0; piece < 7; ++piece) {
            run.addSteps(50, [&](std::int64_t step) {
                return hasNan && step == 170 ? Nan : 2.0 / std::sqrt(static_cast<double>(step)) + 0.01 * (step % 7);
            });
        }
        ui::ChartModel model(*ui::findChart(u"loss"));
        ui::ChartOptions options;
        options.smoothing = weight;
        model.setOptions(options);
        model.setFeeds({run.feed.get()});
        const ui::ChartSpec chart = model.fullChart();
        const ui::SeriesSpec* smooth = find(chart, keyOf(run, "/loss-smoothed"));
        QVERIFY(smooth != nullptr);
        const std::vector<double> expected = tensorBoard(run.feed->loss().value, weight);
        QCOMPARE(smooth->y.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (std::isnan(expected[i])) {
                QVERIFY(std::isnan(smooth->y[i]));
            } else {
                // Both are sums of the same terms; only w^n is formed in another order.
                QVERIFY(std::fabs(smooth->y[i] - expected[i]) < 1e-12);
            }
        }
    }

    void smoothingLeavesConstantsAlone()
    {
        SampleRun run("SGD");
        run.addSteps(500, [](std::int64_t) { return 0.1; });
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        const ui::ChartSpec chart = model.fullChart();
        for (const double value : find(chart, keyOf(run, "/loss-smoothed"))->y) {
            QCOMPARE(value, 0.1);
        }
    }

    void decimationKeepsExtremes_data()
    {
        QTest::addColumn<int>("count");
        for (const int count : {1, 100, 2'047, 2'048, 2'049, 10'000, 60'000, 250'001}) {
            QTest::addRow("%d points", count) << count;
        }
    }

    void decimationKeepsExtremes()
    {
        QFETCH(int, count);
        std::mt19937 random(3);
        std::normal_distribution<double> noise;
        std::vector<double> values;
        ui::Pyramid pyramid;
        for (int i = 0; i < count; ++i) {
            values.push_back(noise(random));
            if (i % 37 == 0) {
                pyramid.extend(values);
            }
        }
        const auto lowest = static_cast<std::size_t>(count / 3);
        const auto highest = static_cast<std::size_t>(count / 2);
        // Spikes one point wide must be seen.
        std::vector<double> spiky = values;
        spiky[lowest] = -100.0;
        spiky[highest] = 100.0;
        ui::Pyramid spikes;
        for (std::size_t i = 0; i < spiky.size(); i += 500) {
            spikes.extend(std::span<const double>(spiky).first(std::min(spiky.size(), i + 500)));
        }
        spikes.extend(spiky);
        const auto drawn = spikes.indices(spiky, 0, spiky.size(), 1024);
        QVERIFY(std::is_sorted(drawn.begin(), drawn.end()));
        QVERIFY(std::find(drawn.begin(), drawn.end(), highest) != drawn.end());
        if (lowest != highest) {
            QVERIFY(std::find(drawn.begin(), drawn.end(), lowest) != drawn.end());
        }
        QVERIFY(drawn.size() <= 2 * 1024);
        // However the points came, the same ones are drawn.
        pyramid.extend(values);
        ui::Pyramid atOnce;
        atOnce.extend(values);
        QCOMPARE(pyramid.indices(values, 0, values.size(), 100), atOnce.indices(values, 0, values.size(), 100));
    }

    /// Any stretch has its extremes, few points, and no others; its ends need not be those of buckets.
    void everyStretchKeepsItsExtremes()
    {
        std::mt19937 random(5);
        std::vector<double> values(100'000);
        std::ranges::generate(values, [&] { return std::normal_distribution<double>()(random); });
        ui::Pyramid pyramid;
        pyramid.extend(values);
        for (int i = 0; i < 200; ++i) {
            const std::size_t first = random() % 99'000;
            const std::size_t last = first + 1 + random() % (values.size() - first - 1);
            const auto drawn = pyramid.indices(values, first, last, 200);
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = values.begin() + static_cast<std::ptrdiff_t>(last);
            const auto [low, high] = std::minmax_element(begin, end);
            for (const auto extreme : {low, high}) {
                QVERIFY(std::ranges::binary_search(drawn, static_cast<std::uint32_t>(extreme - values.begin())));
            }
            QVERIFY(drawn.size() <= 2 * 202);
            QVERIFY(drawn.front() >= first && drawn.back() < last);
        }
    }

    void missingValuesAreGaps()
    {
        SampleRun run("SGD", 0, 60'000);
        run.addSteps(60'000, [](std::int64_t step) {
            return step == 30'001 ? Nan : step == 40'001 ? std::numeric_limits<double>::infinity() : 1.0;
        });
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        const ui::ChartSpec chart = model.chart({0.0, 0.0, 800});
        const ui::SeriesSpec* raw = find(chart, keyOf(run, "/loss"));
        QCOMPARE(std::count_if(raw->y.begin(), raw->y.end(), [](double value) { return !std::isfinite(value); }), 2);
    }

    void noteSaysHowManyPointsAreDrawn()
    {
        SampleRun run("SGD", 0, 60'000);
        run.addNoisySteps(1'000, 20'000, 0.1);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        QVERIFY(model.chart({0.0, 0.0, 800}).note.isEmpty());
        run.addNoisySteps(59'000, 20'000, 0.1);
        const ui::ChartSpec chart = model.chart({0.0, 0.0, 800});
        const ui::SeriesSpec* raw = find(chart, keyOf(run, "/loss"));
        QVERIFY(raw->x.size() <= 4096);
        QCOMPARE(chart.note,
            QStringLiteral("%1 of 60,000 points drawn (min–max)")
                .arg(QLocale(QLocale::English).toString(static_cast<int>(raw->x.size()))));
    }

    void windowShowsEveryPointInIt()
    {
        SampleRun run("SGD", 0, 60'000);
        run.addNoisySteps(60'000, 20'000, 0.1);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        const ui::ChartSpec chart = model.chart({1000.0, 1200.0, 800});
        const ui::SeriesSpec* raw = find(chart, keyOf(run, "/loss"));
        QVERIFY(raw->x.front() <= 1000.0 && raw->x.back() >= 1200.0);
        QVERIFY(raw->x.size() >= 201 && raw->x.size() <= 204);
    }

    void axesAreStepEpochSeconds()
    {
        SampleRun run("SGD");
        run.addNoisySteps(250, 100, 0.1);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({run.feed.get()});
        const double last[] = {250.0, 2.0, 250.0 * 0.38e-3};
        const ui::XAxis axes[] = {ui::XAxis::Step, ui::XAxis::Epoch, ui::XAxis::Seconds};
        for (std::size_t i = 0; i < 3; ++i) {
            ui::ChartOptions options;
            options.x = axes[i];
            model.setOptions(options);
            const ui::ChartSpec chart = model.fullChart();
            QVERIFY(std::fabs(chart.series.front().x.back() - last[i]) < 1e-12);
            QVERIFY(!chart.x.label.isEmpty());
        }
    }

    void hiddenRunsKeepTheirLegend()
    {
        const auto runs = sampleRuns(100);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        QSignalSpy changes(&model, &ui::ChartModel::changed);
        runs[0]->feed->setVisible(false);
        QCOMPARE(changes.count(), 1);
        const ui::ChartSpec chart = model.fullChart();
        QStringList named;
        for (const ui::SeriesSpec& series : chart.series) {
            if (!series.name.isEmpty()) {
                named += series.name + (series.isVisible ? QString() : QStringLiteral(" hidden"));
            }
        }
        QCOMPARE(named, (QStringList{QStringLiteral("GD hidden"), QStringLiteral("SGD"), QStringLiteral("Adam")}));
    }

    void timeChartStacksPhases()
    {
        const auto runs = sampleRuns(100);
        ui::ChartModel model(*ui::findChart(u"time"));
        model.setFeeds(feedsOf(runs));
        const ui::ChartSpec chart = model.fullChart();
        QCOMPARE(chart.x.categories.size(), std::size_t{3});
        double sum = 0.0;
        for (const ui::SeriesSpec& series : chart.series) {
            QCOMPARE(series.style, ui::SeriesStyle::StackedBars);
            sum += series.y[0];
        }
        QVERIFY(std::fabs(sum - 0.38) < 1e-12);
    }

    void whatIsNotToldApartHasANote()
    {
        auto runs = sampleRuns(100);
        ui::ChartModel model(*ui::findChart(u"time"));
        model.setFeeds(feedsOf(runs));
        QCOMPARE(model.fullChart().note, QString());
        store::Delta delta;
        wire::StepBatch batch;
        for (std::int64_t step = 101; step <= 110; ++step) {
            batch.rows.push_back({.step = step,
                .wallNs = 380'000,
                .phaseNs = {0, 0, 0, 60'000, 30'000, 0, 0},
                .unattributedNs = step == 101 ? 1 : 0});
        }
        delta.steps.push_back({0, batch});
        runs[1]->add(std::move(delta));
        const ui::ChartSpec chart = model.fullChart();
        QVERIFY2(chart.note.endsWith(u": SGD"), qPrintable(chart.note));
        for (const ui::SeriesSpec& series : chart.series) {
            QVERIFY(series.key != u"phase/wait" || std::isnan(series.y[1]));
            if (series.key == u"phase/communicate") {
                QVERIFY(std::fabs(series.y[1] - 0.009) < 1e-12); // the first ten of 110 steps warm up
            }
        }
    }

    /// Runs that took turns have an interval of their own; the steps before the first block are in no bar.
    void blocksGiveBarsTheirInterval()
    {
        auto delta = stepsOfTwoRanks();
        delta->steps.clear();
        std::vector<std::int64_t> steps;
        for (std::int64_t step = 1; step <= 100; ++step) {
            steps.push_back(step);
        }
        for (const std::int32_t rank : {0, 1}) {
            wire::StepBatch rows = rowsOf(steps, 20, 1.0);
            for (StepRow& row : rows.rows) {
                const auto communicate = static_cast<std::size_t>(Phase::Communicate);
                row.phaseNs[communicate] = row.step <= 20 ? 9'000'000 : row.step % 20 < 10 ? 2'000'000 : 1'000'000;
            }
            delta->steps.push_back({rank, rows});
            for (std::int64_t block = 0; block < 8; ++block) {
                const std::int64_t at = 1'000'000'000 + (20 + block * 10) * 10'000'000;
                delta->held.push_back(
                    {rank, {20 + block * 10, at, block, at - 90'000'000, 7, 70'000'000 + block * 1'000'000, 140}});
            }
        }
        analysis::RunRecord record;
        record.id.text = "in-turns";
        record.spec = experiment::expand(*experiment::preset("aggregation"))->front();
        record.spec.settings["world_size"] = std::int64_t{2};
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        deltas->push_back(delta);
        ui::RunFeed feed(record, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(feed.pull());
        QCOMPARE(feed.record().blocks.size(), std::size_t{7});
        const std::vector<double> times = feed.account().rankSums().blocks().communicateMs();
        QCOMPARE(times.size(), std::size_t{7});
        for (const char16_t* kind : {u"comm", u"throughput"}) {
            ui::ChartModel model(*ui::findChart(kind));
            model.setFeeds({&feed});
            const ui::ChartSpec chart = model.fullChart();
            QVERIFY(!chart.series.empty());
            const ui::SeriesSpec& bar = chart.series.front();
            QVERIFY(!bar.low.empty() && bar.low.front() < bar.y.front() && bar.high.front() > bar.y.front());
            QVERIFY2(chart.note.contains(QStringLiteral("blocks of steps")), qPrintable(chart.note));
        }
        QVERIFY(std::fabs(feed.phaseMsPerStep()[static_cast<std::size_t>(Phase::Communicate)] - 1.5) < 0.2);
    }

    void ranksAreWeighted()
    {
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        deltas->push_back(stepsOfTwoRanks());
        ui::RunFeed feed({}, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(feed.pull());
        QVERIFY(!feed.pull());
        QCOMPARE(feed.loss().step, (std::vector<std::int64_t>{1, 2})); // step 3 waits for rank 1
        QCOMPARE(feed.loss().value.front(), 1.5);
        QCOMPARE(feed.loss().epoch.back(), 0.8);
        QCOMPARE(feed.loss().seconds.back(), 0.02);
        QCOMPARE(feed.progress(), 0.5);
        QCOMPARE(feed.ranks().size(), std::size_t{2});
        QCOMPARE(feed.ranks()[0].step, 3);
        QVERIFY(std::fabs(feed.ranks()[1].msPerStep - 10.0) < 1e-9);
        QVERIFY(std::fabs(feed.secondsLeft() - 0.03) < 0.02);
        QVERIFY(std::fabs(feed.phaseMsPerStep()[0] - 1.0) < 1e-9);
    }

    void pausesDoNotCountAsTime()
    {
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        deltas->push_back(stepsOfTwoRanks());
        ui::RunFeed feed({}, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(feed.pull());
        // Paused for 0.5 s from step 3 on; rank 1's row of it was under way.
        auto resumed = std::make_shared<store::Delta>();
        for (const std::int32_t rank : {0, 1}) {
            resumed->applied.push_back({rank, {wire::Command::Pause, 3, 1'031'000'000 + rank, -1, 0.0}});
            resumed->applied.push_back({rank, {wire::Command::Resume, 3, 1'531'000'000 + rank, -1, 0.0}});
            resumed->steps.push_back(
                {rank, rowsOf(rank == 0 ? std::vector<std::int64_t>{54} : std::vector<std::int64_t>{3, 54}, 10, 1.0)});
        }
        deltas->push_back(resumed);
        QVERIFY(feed.pull());
        QCOMPARE(feed.loss().step, (std::vector<std::int64_t>{1, 2, 3, 54}));
        QCOMPARE(feed.loss().seconds[2], 0.03);
        QCOMPARE(feed.loss().seconds[3], 0.04);
        QCOMPARE(feed.interventions().size(), std::size_t{2});
        QCOMPARE(feed.interventions()[0].seconds, 0.031);
        QCOMPARE(feed.interventions()[1].seconds, 0.031);
        QCOMPARE(feed.secondsAt(1'540'000'000), 0.54); // a pause counts as the machine's time
    }

    /// From the step from which on a rank is slow to that where it is not any more, or to the run's end.
    void slowStepsAreShaded()
    {
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        auto begun = stepsOfTwoRanks();
        begun->steps.push_back({1, rowsOf({3}, 10, 3.0)});
        deltas->push_back(begun);
        ui::RunFeed feed({}, std::make_unique<ScriptedSource>(deltas));
        const auto slow = [&](std::int64_t step, std::int64_t timeNs, double ms) {
            auto delta = std::make_shared<store::Delta>();
            for (const std::int32_t rank : {0, 1}) {
                delta->applied.push_back({rank, {wire::Command::SetStraggler, step, timeNs, 1, ms}});
                delta->steps.push_back({rank, rowsOf({step}, 10, 1.0)});
            }
            deltas->push_back(delta);
            QVERIFY(feed.pull());
        };
        QVERIFY(feed.pull());
        slow(10, 3'000'000'000, 5.0);
        slow(20, 9'000'000'000, 0.0);
        slow(30, 15'000'000'000, 5.0);
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({&feed});
        const std::vector<ui::MarkSpec> marks = model.fullChart().marks;
        QCOMPARE(marks.size(), std::size_t{3});
        QCOMPARE(marks[0].x, 10.0);
        QCOMPARE(marks[0].until, std::optional(20.0));
        QVERIFY(!marks[1].until);
        QCOMPARE(marks[2].until, std::optional(30.0)); // the last step so far
    }

    void stalenessIsDrawnByRunOrByRank()
    {
        const auto run = [](const char* id, std::int64_t ofRank1) {
            analysis::RunRecord record;
            record.id = RunId{id};
            record.spec = specOf(R"("strategy.name":"data","aggregation.algorithm":"parameter_server_async")");
            auto delta = stepsOfTwoRanks();
            for (auto& [rank, batch] : delta->steps) {
                for (StepRow& row : batch.rows) {
                    row.staleness = rank == 0 ? 1 : ofRank1;
                }
            }
            auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
            deltas->push_back(delta);
            auto feed = std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(deltas));
            feed->pull();
            return feed;
        };
        const auto one = run("20261120-140010-aaaa", 3);
        const auto other = run("20261120-140010-bbbb", 0);
        QCOMPARE(one->record().summary.staleness, 9.0 / 5.0); // three steps of rank 0, two of rank 1
        ui::ChartModel model(*ui::findChart(u"staleness"));
        model.setFeeds({one.get()});
        ui::ChartSpec chart = model.fullChart();
        QCOMPARE(chart.series.size(), std::size_t{2});
        QCOMPARE(chart.series[0].name, QStringLiteral("rank 0"));
        QCOMPARE(chart.series[1].x, (std::vector<double>{0.0, 1.0, 2.0, 3.0}));
        QCOMPARE(chart.series[1].y, (std::vector<double>{0.0, 0.0, 0.0, 100.0}));
        QCOMPARE(chart.note, QStringLiteral("Means: rank 0 1.00, rank 1 3.00"));
        model.setFeeds({one.get(), other.get()});
        chart = model.fullChart();
        QCOMPARE(chart.series.size(), std::size_t{2});
        QCOMPARE(chart.series[0].y, (std::vector<double>{0.0, 60.0, 0.0, 40.0}));
        QCOMPARE(chart.series[1].y, (std::vector<double>{40.0, 60.0}));
        QVERIFY(ui::findChart(u"staleness")->applies(ui::RunMix(ui::Feeds{one.get()})));
        SampleRun plain("SGD");
        plain.addSteps(3, [](std::int64_t) { return 1.0; });
        model.setFeeds({plain.feed.get()});
        QVERIFY(model.fullChart().series.empty());
    }

    void sweepsSayHowTheirCallsAreMade()
    {
        analysis::RunRecord record;
        record.id = RunId{"20261120-140010-cccc"};
        record.spec = specOf(R"("strategy.name":"collectives","world_size":4,"collective.name":"reduce",)"
                             R"("sweep.groups":2,"sweep.root":1,"sweep.async":true)");
        record.spec.name = "reduce";
        auto delta = std::make_shared<store::Delta>();
        wire::Hello hello;
        hello.worldSize = 4;
        delta->hellos.push_back({0, hello});
        for (const std::int64_t bytes : {1000, 2000}) {
            delta->measurements.push_back({0, {"reduce", "", "float32", bytes, true, 10, 1000, 2000, 1000, 0}});
        }
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        deltas->push_back(delta);
        ui::RunFeed feed(record, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(feed.pull());
        ui::ChartModel model(*ui::findChart(u"sweep"));
        model.setFeeds({&feed});
        QCOMPARE(model.fullChart().series.front().name, QStringLiteral("Reduce (2 groups of 2, asynchronous, root 1)"));
        // The bus bandwidth of an all-reduce depends on the ranks of a group: 2 (p - 1) / p is 1 for two, 1.5 for four.
        record.spec = specOf(R"("strategy.name":"collectives","world_size":4,"sweep.groups":2)");
        for (auto& [rank, measured] : delta->measurements) {
            measured.collective = "all_reduce";
        }
        deltas->push_back(delta);
        ui::RunFeed grouped(record, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(grouped.pull());
        ui::ChartModel bandwidth(*ui::findChart(u"bandwidth"));
        bandwidth.setFeeds({&grouped});
        QCOMPARE(bandwidth.fullChart().series.front().y, (std::vector<double>{1.0, 2.0}));
    }

    void aPointCostsLittle()
    {
        SampleRun run("SGD", 0, 200'000);
        run.addNoisySteps(200'000, 20'000, 0.1);
        const analysis::Curve& loss = run.feed->loss();
        const std::size_t bytes
            = 8 * (loss.step.capacity() + loss.epoch.capacity() + loss.seconds.capacity() + loss.value.capacity());
        // Beside these columns there is one more for the smoothed curve, and pyramids of 1.5 bytes a point each.
        QVERIFY(static_cast<double>(bytes) / 200'000.0 <= 64.0 - 11.0);
    }
};

LOCKSTEP_TEST(TestChartValues)
#include "test_chart_values.moc"
