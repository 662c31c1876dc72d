// What must be read from charts without doubt: which runs are in them, in which measure, and on axes that hold them.
#include "program/test_class.h"
#include "ui/models/chart_axes.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/form/parameter_text.h"
#include "ui/models/number_text.h"
#include "ui/models/palette.h"
#include "ui/models/repeat_runs.h"
#include "ui/models/ring_run.h"
#include "ui/models/runs/run_columns.h"
#include "ui/models/runs/runs_table_model.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

ui::ChartSpec chartOf(const char16_t* id, const std::vector<ui::RunFeed*>& feeds, const ui::ChartOptions& options = {})
{
    ui::ChartModel model(*ui::findChart(id));
    model.setOptions(options);
    model.setFeeds(feeds);
    return model.fullChart();
}

/// A run that measures collectives, with one size.
std::unique_ptr<ui::RunFeed> sweepFeed()
{
    auto spec = experiment::preset("collectives");
    analysis::RunRecord record;
    record.id = RunId{"20261124-120000-abcd"};
    record.spec = experiment::expand(*spec)->front();
    record.status = analysis::RunStatus::Running;
    store::Delta delta;
    wire::Hello hello;
    hello.worldSize = 2;
    delta.hellos = {{0, hello}, {1, hello}};
    for (const std::int32_t rank : {0, 1}) {
        delta.measurements.push_back(
            {rank, {"all_reduce", "ring", "float32", 4096, true, 20, 50'000, 90'000, 55'000, 0}});
    }
    auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
    deltas->push_back(std::make_shared<store::Delta>(delta));
    auto feed = std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(deltas));
    feed->pull();
    return feed;
}

/// A run of two ranks.
std::unique_ptr<SampleRun> twoRanks()
{
    auto run = std::make_unique<SampleRun>("ring");
    run->setSeed(1);
    run->addSteps(30, [](std::int64_t) { return 1.0; });
    return run;
}

} // namespace

class TestReadableCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Defects 6 and 26: a sweep is no training run that communicates for 0 ms, and a training run no sweep.
    void sweepsAreNoTraining()
    {
        const auto sweep = sweepFeed();
        const auto training = twoRanks();
        for (const char16_t* id : {u"comm", u"ranks", u"time", u"loss", u"accuracy"}) {
            QVERIFY2(chartOf(id, {sweep.get()}).series.empty(), qPrintable(QString::fromUtf16(id)));
        }
        QCOMPARE(chartOf(u"sweep", {sweep.get(), training->feed.get()}).series.front().x, std::vector<double>{4096.0});
        const ui::RunMix alone({sweep.get()});
        QVERIFY(alone.hasSweep && !alone.hasTraining && !alone.hasRanks);
        for (const ui::ChartKind& kind : ui::chartKinds()) {
            const QString name = QLatin1String(kind.id);
            QVERIFY2(kind.applies(alone) == (name == u"sweep" || name == u"bandwidth"), qPrintable(name));
        }
    }

    /// Defect 26: what a sweep does not have is a dash in the table, neither a zero nor empty.
    void anEmptyChartSaysWhatWouldFillIt()
    {
        const auto textOf = [](const std::vector<ui::RunFeed*>& feeds) {
            ui::ChartModel model(*ui::findChart(u"loss"));
            model.setFeeds(feeds);
            return model.fullChart().emptyText;
        };
        QCOMPARE(textOf({}), QStringLiteral("Press Run to see the first curve."));
        SampleRun run("SGD");
        QCOMPARE(textOf({run.feed.get()}), QStringLiteral("Waiting for the first numbers…"));
        run.end(analysis::RunStatus::Failed);
        QCOMPARE(textOf({run.feed.get()}), QStringLiteral("These runs ended without values for this chart."));
    }

    void sweepsHaveNoLoss()
    {
        const auto sweep = sweepFeed();
        ui::RunsTableModel table;
        table.setRecords({sweep->record()});
        for (const int column :
            {ui::RunsTableModel::Loss, ui::RunsTableModel::Accuracy, ui::RunsTableModel::MsPerStep}) {
            QCOMPARE(table.index(0, column).data().toString(), QStringLiteral("–"));
        }
    }

    /// Defect 12: an interval that a chart draws as a line at its point is within the axes.
    void whiskersAreWithinTheAxes()
    {
        ui::ChartSpec chart;
        ui::SeriesSpec points;
        points.x = {1.0, 2.0};
        points.y = {0.9, 0.8};
        points.low = {0.1, 0.79};
        points.high = {1.4, 0.81};
        points.hasWhiskers = true;
        chart.series = {points};
        const ui::ChartRanges ranges = ui::fittedRanges(chart);
        QVERIFY(ranges.y.low <= 0.1 && ranges.y.high >= 1.4);
        chart.series.front().n = {2, 3}; // an interval of two values is drawn as far as it is in view
        QVERIFY(ui::fittedRanges(chart).y.low > 0.7 && ui::fittedRanges(chart).y.high < 1.0);
        chart.series.front().n.clear(); // and a very wide one as far as the values stay readable
        chart.series.front().high = {5e12, 0.81};
        QVERIFY(ui::fittedRanges(chart).y.high < 3.5);
    }

    /// A band of few repeats does not press its curve flat: it has at most a quarter of its height at each side.
    void aBandDoesNotStretchTheAxis()
    {
        ui::ChartSpec chart;
        ui::SeriesSpec line;
        line.x = {1.0, 2.0, 3.0};
        line.y = {2.0, 1.5, 1.0};
        line.low = {-20.0, -20.0, -20.0};
        line.high = {24.0, 24.0, 24.0};
        chart.series = {line};
        const ui::ChartRanges ranges = ui::fittedRanges(chart);
        QVERIFY(ranges.y.low > 0.6 && ranges.y.low < 0.76);
        QVERIFY(ranges.y.high < 2.4 && ranges.y.high > 2.24);
    }

    /// Defect 18: bars that differ by orders are compared per sample, or as shares of a step.
    void timesPerSampleAndShares()
    {
        const auto run = twoRanks();
        const analysis::Summary& summary = run->feed->record().summary;
        const auto sumOf = [](const ui::ChartSpec& chart) {
            double sum = 0.0;
            for (const ui::SeriesSpec& phase : chart.series) {
                sum += phase.y.front();
            }
            return sum;
        };
        ui::ChartOptions options;
        const double perStep = sumOf(chartOf(u"time", {run->feed.get()}, options));
        QVERIFY(std::abs(perStep - summary.msPerStepTypical) < 1e-9);
        ui::ChartModel model(*ui::findChart(u"time"));
        const auto choices = model.choices();
        QCOMPARE(choices.size(), std::size_t(3));
        options.choice = choices[1].value;
        const ui::ChartSpec perSample = chartOf(u"time", {run->feed.get()}, options);
        QCOMPARE(perSample.y.unit, QStringLiteral("µs"));
        const double samples = summary.samplesPerSecond * summary.msPerStep / 1000.0;
        QVERIFY(std::abs(samples - 64.0) < 1e-6);
        QVERIFY(std::abs(sumOf(perSample) - 1000.0 * perStep / 64.0) < 1e-6);
        options.choice = choices[2].value;
        const ui::ChartSpec shares = chartOf(u"time", {run->feed.get()}, options);
        QCOMPARE(shares.y.unit, QStringLiteral("%"));
        QVERIFY(std::abs(sumOf(shares) - 100.0) < 1e-9);
    }

    /// Defect 19: neither a phase nor a curve over several variants looks like a variant.
    void coloursHaveOneMeaning()
    {
        for (const ui::PaletteName palette : {ui::PaletteName::Vibrant, ui::PaletteName::HighContrast}) {
            for (const QColor& variant : ui::variantColors(palette)) {
                for (std::size_t phase = 0; phase < PhaseCount; ++phase) { // waiting is hatched
                    QVERIFY(Phase(phase) == Phase::Wait || ui::phaseColor(Phase(phase)) != variant);
                }
                for (int curve = 0; curve < 4; ++curve) {
                    QVERIFY2(ui::studyColor(curve) != variant, qPrintable(variant.name()));
                }
            }
        }
    }

    /// Defect 20: one quantity has one value, over the same steps: without the warm-up.
    void aBarHasTheValueOfTheTable()
    {
        SampleRun run("ring");
        store::Delta delta;
        wire::StepBatch& batch = delta.steps.emplace_back().what;
        for (std::int64_t step = 1; step <= 30; ++step) {
            const std::int64_t ns = step <= 10 ? 9'000'000 : 500'000;
            StepRow row{.step = step, .endNs = step * 10'000'000, .wallNs = ns, .samples = step * 64, .batch = 64};
            row.loss = 1.0;
            row.phaseNs[static_cast<std::size_t>(Phase::Backward)] = ns - 20'000; // the rest belongs to no phase
            batch.rows.push_back(row);
        }
        run.add(std::move(delta));
        double sum = 0.0;
        for (const ui::SeriesSpec& phase : chartOf(u"time", {run.feed.get()}).series) {
            sum += phase.y.front();
        }
        ui::RunsTableModel table;
        table.setRecords({run.feed->record()});
        QCOMPARE(sum, 0.5);
        QCOMPARE(table.index(0, ui::RunsTableModel::MsPerStep).data().toString(), QStringLiteral("0.500"));
    }

    /// Defect 20: findings compare the time of communicating, so a bar says it apart from waiting.
    void communicatingIsSaidApartFromWaiting()
    {
        RingRun ring(2);
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        deltas->push_back(std::make_shared<store::Delta>(ring.hello()));
        for (int step = 0; step < 30; ++step) {
            deltas->push_back(std::make_shared<store::Delta>(ring.step(false)));
        }
        ui::RunFeed feed(ring.record(), std::make_unique<ScriptedSource>(deltas));
        while (feed.pull()) { }
        const ui::ChartSpec chart = chartOf(u"comm", {&feed});
        const auto labels = ui::barLabels(chart);
        QCOMPARE(labels.size(), std::size_t(1));
        const analysis::Summary& summary = feed.record().summary;
        QCOMPARE(labels.front().text,
            ui::numberText(summary.commMsPerStepTypical) + QStringLiteral("\n+ ")
                + ui::numberText(summary.waitMsPerStepTypical));
        ui::ChartSpec total = chart;
        total.labelsParts = false;
        QCOMPARE(ui::barLabels(total).front().text, ui::numberText(labels.front().y));
    }

    /// Over several hosts both parts of an all-reduce are seen: between them, and what is left inside each.
    void communicatingBetweenHostsIsAPart()
    {
        RingRun ring(2);
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        deltas->push_back(std::make_shared<store::Delta>(ring.hello()));
        for (int step = 0; step < 30; ++step) {
            store::Delta delta = ring.step(false);
            for (auto& [rank, batch] : delta.steps) {
                for (StepRow& row : batch.rows) {
                    row.betweenHostsNs = row.nsOf(Phase::Communicate) / 4;
                }
            }
            deltas->push_back(std::make_shared<store::Delta>(std::move(delta)));
        }
        ui::RunFeed feed(ring.record(), std::make_unique<ScriptedSource>(deltas));
        while (feed.pull()) { }
        const ui::ChartSpec chart = chartOf(u"comm", {&feed});
        QCOMPARE(chart.series.size(), std::size_t(3));
        QCOMPARE(chart.series[0].key, QStringLiteral("phase/between_hosts"));
        QCOMPARE(chart.series[1].key, QStringLiteral("phase/communicate"));
        const double between = chart.series[0].y.front();
        const double inside = chart.series[1].y.front();
        const analysis::Summary& summary = feed.record().summary;
        QVERIFY(between > 0.0 && inside > 0.0);
        const double share = summary.betweenHostsMsPerStep / summary.commMsPerStep;
        QVERIFY(std::abs(between - share * summary.commMsPerStepTypical) < 1e-9);
        QVERIFY(std::abs(between + inside - summary.commMsPerStepTypical) < 1e-9);
        QVERIFY2(chart.note.contains(QStringLiteral("several hosts")), qPrintable(chart.note));
    }

    /// Bars of times that other work disturbed are not read as those of a quiet machine.
    void chartsOfTimesNameTheVariantsOfABusyMachine()
    {
        const auto run = [](std::int64_t ownNs, std::int64_t delayNs) {
            RingRun ring(2);
            auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
            deltas->push_back(std::make_shared<store::Delta>(ring.hello()));
            for (int step = 0; step < 30; ++step) {
                deltas->push_back(std::make_shared<store::Delta>(ring.step(false)));
            }
            store::Delta last;
            for (const std::int32_t rank : {0, 1}) {
                last.vitals.push_back({rank,
                    {.runNs = ownNs, .runDelayNs = delayNs, .busyNs = 2'000'000'000, .watchedNs = 1'000'000'000}});
            }
            deltas->push_back(std::make_shared<store::Delta>(std::move(last)));
            auto feed = std::make_unique<ui::RunFeed>(ring.record(), std::make_unique<ScriptedSource>(deltas));
            while (feed->pull()) { }
            return feed;
        };
        const auto busy = run(500'000'000, 500'000'000);
        const QString note = QStringLiteral("Measured while the machine was busy with other work: %1")
                                 .arg(QString::fromStdString(busy->record().spec.name));
        QCOMPARE(busy->record().summary.delayByOthers, 0.25);
        QVERIFY2(chartOf(u"comm", {busy.get()}).note.endsWith(note), qPrintable(chartOf(u"comm", {busy.get()}).note));
        QVERIFY(!chartOf(u"loss", {busy.get()}).note.contains(QStringLiteral("busy")));
        // As long a wait, for each other.
        const auto crowded = run(1'000'000'000, 1'000'000'000);
        QVERIFY(!chartOf(u"comm", {crowded.get()}).note.contains(QStringLiteral("busy")));
    }

    /// Defect 24: a run that was stopped while it waited has no time at which it started.
    void whatNeverStartedHasNoTime()
    {
        analysis::RunRecord record = twoRanks()->feed->record();
        record.status = analysis::RunStatus::Stopped;
        record.createdNs = 1'795'000'000'000'000'000;
        ui::RunsTableModel table;
        table.setRecords({record});
        QVERIFY(table.index(0, ui::RunsTableModel::Started).data().toString().contains(u':'));
        record.message = analysis::StoppedBeforeStart;
        record.summary = {};
        table.setRecords({record});
        QCOMPARE(table.index(0, ui::RunsTableModel::Started).data().toString(), QStringLiteral("–"));
    }

    /// Defect 27: a zero that is no number says what it means; bytes have their unit.
    void zerosSayWhatTheyMean_data()
    {
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("samples") << "dataset.train_samples"
                                 << "0"
                                 << "all";
        QTest::newRow("some samples") << "dataset.train_samples"
                                      << "500"
                                      << "500";
        QTest::newRow("memory") << "rank.memory_mb"
                                << "0"
                                << "no limit";
        QTest::newRow("bandwidth") << "link.bandwidth_mbps"
                                   << "0"
                                   << "no limit";
        QTest::newRow("checkpoints") << "checkpoint.every"
                                     << "0"
                                     << "at stop";
        QTest::newRow("momentum") << "optimizer.momentum"
                                  << "0"
                                  << "0";
    }
    void zerosSayWhatTheyMean()
    {
        QFETCH(QString, parameter);
        QFETCH(QString, text);
        const auto* row = experiment::findParameter(parameter.toStdString());
        QVERIFY(row != nullptr);
        QTEST(ui::translatedValue(*row, text), "shown");
    }
};

LOCKSTEP_TEST(TestReadableCharts)
#include "test_readable_charts.moc"
