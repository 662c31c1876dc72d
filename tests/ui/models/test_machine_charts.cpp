// The charts of the machine as values: of one run by rank and by GPU, of several by run.
#include "program/test_class.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/charts/kinds/machine_charts.h"
#include "ui/models/feeds/run_state.h"
#include "ui/models/sample_runs.h"

#include <QGuiApplication>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;
using ui::ChartModel;
using ui::MachineValue;

namespace {

/// Two ranks, one GPU that reports everything, one that reports only memory; a sample a second, from a second before
/// the first step on.
void addSamples(SampleRun& run, int count, double busy, bool hasGpus)
{
    store::Delta delta;
    analysis::Machine machine{"host", 4, 8'000'000'000, {}};
    if (hasGpus) {
        machine.gpus = {{0, "NVIDIA H200", "GPU-a", 150'000'000'000}, {1, "NVIDIA T4", "GPU-b", 16'000'000'000}};
    }
    delta.machines.push_back(machine);
    for (int i = 0; i < count; ++i) {
        analysis::MachineSample sample;
        sample.host = "host";
        sample.timeNs = SampleRun::StartNs + (i - 1) * 1'000'000'000LL;
        sample.busyCores = 3.0;
        sample.ranks = {{0, busy, 2e8}, {1, busy / 2.0, 1e8}};
        if (hasGpus) {
            sample.gpus = {{0, 80.0 + i, 20.0, 9e9, 300.0, 700.0, 50.0, 1980.0, 2600.0, i == 0 ? 0x4U : 0U}};
            analysis::GpuUse quiet;
            quiet.number = 1;
            quiet.memoryBytes = 1e9;
            sample.gpus.push_back(quiet);
            sample.shares = {{0, 0, 2e9}, {0, 1, 3e9}, {0, -1, 4e9}};
        }
        delta.machineSamples.push_back(sample);
    }
    run.add(std::move(delta));
}

ui::ChartSpec chartOf(const std::vector<ui::RunFeed*>& feeds, MachineValue value)
{
    ChartModel model(*ui::findChart(u"machine"));
    ui::ChartOptions options = model.options();
    options.choice = static_cast<int>(value);
    model.setOptions(options);
    model.setFeeds(feeds);
    return model.fullChart();
}

const ui::SeriesSpec& named(const ui::ChartSpec& chart, const QString& name)
{
    static const ui::SeriesSpec none;
    const auto at = std::find_if(
        chart.series.begin(), chart.series.end(), [&](const ui::SeriesSpec& each) { return each.name == name; });
    return at == chart.series.end() ? none : *at;
}

/// At the start of the run.
void addFirst(SampleRun& run, analysis::MachineSample sample)
{
    store::Delta delta;
    sample.timeNs = SampleRun::StartNs;
    delta.machineSamples.push_back(std::move(sample));
    run.add(std::move(delta));
}

} // namespace

class TestMachineCharts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void withoutSamplesThereIsAText()
    {
        SampleRun run("SGD", 0);
        run.addNoisySteps(10, 5.0, 0.1);
        ChartModel model(*ui::findChart(u"machine"));
        model.setFeeds({run.feed.get()});
        QVERIFY(model.choices().empty());
        QVERIFY(model.fullChart().series.empty());
        QVERIFY(!model.fullChart().emptyText.isEmpty());
    }

    void onlyWhatIsToldIsOffered()
    {
        SampleRun run("SGD", 0);
        addSamples(run, 3, 1.0, false);
        ChartModel model(*ui::findChart(u"machine"));
        model.setFeeds({run.feed.get()});
        const auto choices = model.choices();
        QCOMPARE(choices.size(), std::size_t(2));
        QCOMPARE(choices[0].value, static_cast<int>(MachineValue::Processors));
        QCOMPARE(choices[1].value, static_cast<int>(MachineValue::Resident));
        // A GPU's power was chosen for other runs: these show what they have.
        QCOMPARE(chartOf({run.feed.get()}, MachineValue::Power).id, QStringLiteral("machine-processors"));
    }

    void oneRunByRank()
    {
        SampleRun run("SGD", 0);
        addSamples(run, 4, 1.0, true);
        QCOMPARE(run.feed->secondsAt(run.feed->state().machineSamples.at(1).timeNs),
            1.0); // no step yet: from the first look
        run.addNoisySteps(10, 5.0, 0.1);
        const ui::ChartSpec chart = chartOf({run.feed.get()}, MachineValue::Processors);
        QCOMPARE(chart.id, QStringLiteral("machine-processors"));
        QCOMPARE(chart.series.size(), std::size_t{3});
        const ui::SeriesSpec& second = named(chart, QStringLiteral("rank 1"));
        QCOMPARE(second.y, (std::vector{0.5, 0.5, 0.5}));
        QCOMPARE(second.x, (std::vector{0.0, 1.0, 2.0})); // the first step began at StartNs
        QVERIFY(second.low.empty());
        QVERIFY(second.key.startsWith(QString::fromStdString(run.feed->id().text) + u'/'));
        QCOMPARE(chart.series.back().name, QStringLiteral("whole machine"));
        QCOMPARE(chart.series.back().style, ui::SeriesStyle::DashedLine);
        QCOMPARE(named(chartOf({run.feed.get()}, MachineValue::Resident), QStringLiteral("rank 0")).y[0], 200.0);
    }

    /// Defect 25 of the window.
    void twoSamplesAreNoTrend()
    {
        SampleRun run("SGD", 0);
        addSamples(run, 2, 1.0, false);
        for (const ui::SeriesSpec& series : chartOf({run.feed.get()}, MachineValue::Resident).series) {
            QCOMPARE(series.style, ui::SeriesStyle::Markers);
        }
        addSamples(run, 3, 1.0, false);
        for (const ui::SeriesSpec& series : chartOf({run.feed.get()}, MachineValue::Resident).series) {
            QCOMPARE(series.style, ui::SeriesStyle::Line);
        }
    }

    /// Defect 25: what processes do before the first step is not the run's, and no time is below zero.
    void timeBeginsWithTheFirstStep()
    {
        SampleRun run("SGD", 0);
        run.addNoisySteps(10, 5.0, 0.1);
        addSamples(run, 4, 1.0, false);
        QVERIFY(run.feed->secondsAt(run.feed->state().machineSamples.front().timeNs) < 0.0);
        for (const ui::SeriesSpec& series : chartOf({run.feed.get()}, MachineValue::Processors).series) {
            QCOMPARE(series.x.size(), std::size_t(3));
            QVERIFY(series.x.front() >= 0.0);
        }
    }

    /// Other runs' turns are no time of the run: cut out of the axis, and not part of what its ranks used.
    void otherRunsTurnsAreCutOut()
    {
        SampleRun held("SGD", 0);
        held.addNoisySteps(10, 5.0, 0.1);
        store::Delta delta;
        delta.held.push_back({0, {.step = 10, .timeNs = SampleRun::StartNs + 1'500'000'000}});
        held.add(std::move(delta));
        addSamples(held, 5, 1.0, false); // at -1, 0, 1, 2, 3 seconds
        const ui::ChartSpec alone = chartOf({held.feed.get()}, MachineValue::Processors);
        const ui::SeriesSpec& rank = named(alone, QStringLiteral("rank 0"));
        QCOMPARE(rank.x, (std::vector{1.0, 1.5})); // the last second is of other runs only
        QCOMPARE(rank.y, (std::vector{1.0, 2.0})); // one second's work in half a second
        const ui::SeriesSpec& machine = named(alone, QStringLiteral("whole machine"));
        QCOMPARE(machine.y[0], 3.0);
        QVERIFY(std::isnan(machine.y[1])); // mostly other runs'
        QCOMPARE(alone.remark, QStringLiteral("Without the turns of other runs"));
        QCOMPARE(named(chartOf({held.feed.get()}, MachineValue::Resident), QStringLiteral("rank 0")).x,
            (std::vector{1.0, 1.5}));
        SampleRun other("Adam", 1);
        addSamples(other, 3, 1.0, false);
        const ui::ChartSpec both = chartOf({held.feed.get(), other.feed.get()}, MachineValue::Processors);
        QCOMPARE(named(both, QStringLiteral("SGD")).y, (std::vector{0.75, 1.5}));
        SampleRun quick("GD", 2); // no sample while it ran: it has no figure, not the whole machine's figure
        quick.addNoisySteps(10, 5.0, 0.1);
        store::Delta all;
        all.held.push_back({0, {.step = 10, .timeNs = SampleRun::StartNs}});
        quick.add(std::move(all));
        addSamples(quick, 3, 1.0, false);
        const ui::ChartSpec beside = chartOf({quick.feed.get(), other.feed.get()}, MachineValue::Processors);
        QVERIFY(named(beside, QStringLiteral("GD")).x.empty());
    }

    /// Short turns: what ranks used is added up until there is enough of the run's own time.
    void shortTurnsAreJoined()
    {
        SampleRun run("SGD", 0);
        run.addNoisySteps(10, 5.0, 0.1); // begins at StartNs
        for (int turn = 0; turn < 4; ++turn) { // 0.1 s of each second are its own
            const std::int64_t beginNs = SampleRun::StartNs + turn * 1'000'000'000LL;
            store::Delta waits;
            waits.held.push_back({0, {.step = 10 + turn, .timeNs = beginNs + 100'000'000}});
            run.add(std::move(waits));
            store::Delta goesOn;
            goesOn.steps.push_back(
                {0, {.rows = {{.step = 11 + turn, .endNs = beginNs + 1'005'000'000, .wallNs = 5'000'000}}}});
            run.add(std::move(goesOn));
        }
        addSamples(run, 5, 0.05, false); // at -1, 0, 1, 2, 3 seconds
        const ui::SeriesSpec rank
            = named(chartOf({run.feed.get()}, MachineValue::Processors), QStringLiteral("rank 0"));
        QCOMPARE(rank.x.size(), std::size_t(1));
        QVERIFY(std::abs(rank.x[0] - 0.3) < 1e-9);
        QVERIFY(std::abs(rank.y[0] - 0.5) < 1e-9);
    }

    /// Of a run alone, a chart for each rank over the same axes, and one for the whole machine.
    void aChartForEachRank()
    {
        SampleRun run("SGD", 0);
        SampleRun other("Adam", 1);
        run.addNoisySteps(10, 5.0, 0.1);
        addSamples(run, 5, 1.0, false);
        addSamples(other, 5, 1.0, false);
        ChartModel model(*ui::findChart(u"machine"));
        ui::ChartOptions options = model.options();
        options.panelsBy = ui::RankPanels;
        model.setOptions(options);
        model.setFeeds({run.feed.get()});
        const std::vector<ui::ChartPart> parts = model.parts(nullptr);
        QCOMPARE(parts.size(), std::size_t(3));
        QCOMPARE(parts[0].title, QStringLiteral("rank 0"));
        QCOMPARE(parts[1].chart.series.size(), std::size_t(1));
        QCOMPARE(parts[1].chart.series[0].y[0], 0.5);
        QVERIFY(parts[0].chart.y.maximum.has_value());
        QVERIFY(parts[0].chart.y.maximum == parts[1].chart.y.maximum);
        QCOMPARE(parts[2].chart.series[0].name, QStringLiteral("whole machine"));
        QVERIFY(parts[2].chart.x.maximum == parts[0].chart.x.maximum);
        SampleRun repeat("SGD", 0);
        repeat.setSeed(2);
        addSamples(repeat, 5, 0.8, false);
        model.setFeeds({run.feed.get(), repeat.feed.get()});
        const std::vector<ui::ChartPart> both = model.parts(nullptr);
        QCOMPARE(both.size(), std::size_t(3));
        QCOMPARE(both[1].chart.series.size(), std::size_t(2));
        QCOMPARE(both[1].chart.series[1].y[0], 0.4);
        model.setFeeds({run.feed.get(), other.feed.get()});
        QVERIFY(model.parts(nullptr).empty()); // of several variants their means
        QVERIFY(model.varied().offered.empty());
    }

    void oneRunByGpu()
    {
        SampleRun run("SGD", 0);
        addSamples(run, 3, 1.0, true);
        const std::vector<ui::RunFeed*> feeds{run.feed.get()};
        const ui::ChartSpec use = chartOf(feeds, MachineValue::GpuUse);
        QCOMPARE(use.series.size(), std::size_t{2}); // the other GPU does not report it
        QCOMPARE(named(use, QStringLiteral("GPU 0 (NVIDIA H200)")).y, (std::vector{80.0, 81.0, 82.0}));
        QCOMPARE(named(use, QStringLiteral("GPU 0 (NVIDIA H200), memory")).y[0], 20.0);
        const ui::ChartSpec memory = chartOf(feeds, MachineValue::GpuMemory);
        QCOMPARE(named(memory, QStringLiteral("rank 0 on GPU 0 (NVIDIA H200)")).y[0], 2000.0);
        QCOMPARE(named(memory, QStringLiteral("rank 1 on GPU 0 (NVIDIA H200)")).y[0], 3000.0);
        QCOMPARE(named(memory, QStringLiteral("GPU 0 (NVIDIA H200), total in use")).y[0], 9000.0);
        QCOMPARE(named(memory, QStringLiteral("GPU 1 (NVIDIA T4), total in use")).y[0], 1000.0);
        QCOMPARE(memory.series.size(), std::size_t{4});
        const ui::ChartSpec power = chartOf(feeds, MachineValue::Power);
        QCOMPARE(named(power, QStringLiteral("GPU 0 (NVIDIA H200), limit")).y[0], 700.0);
        QCOMPARE(named(chartOf(feeds, MachineValue::Temperature), QStringLiteral("GPU 0 (NVIDIA H200)")).y[0], 50.0);
        const ui::ChartSpec clocks = chartOf(feeds, MachineValue::Clock);
        QCOMPARE(named(clocks, QStringLiteral("GPU 0 (NVIDIA H200)")).y[0], 1980.0);
        QCOMPARE(clocks.note, QStringLiteral("Clocks limited by the power limit (17 % of the samples)")); // 1 of 6
    }

    void severalRunsByRun()
    {
        SampleRun first("SGD", 0);
        SampleRun second("Adam", 1);
        SampleRun third("GD", 2);
        addSamples(first, 3, 1.0, true);
        addSamples(second, 2, 2.0, true);
        addSamples(third, 2, 2.0, true);
        third.feed->setVisible(false);
        std::vector<ui::RunFeed*> feeds{first.feed.get(), second.feed.get(), third.feed.get()};
        const ui::ChartSpec chart = chartOf(feeds, MachineValue::Processors);
        QCOMPARE(chart.series.size(), std::size_t{3});
        const ui::SeriesSpec& sgd = named(chart, QStringLiteral("SGD"));
        QCOMPARE(sgd.y, (std::vector{0.75, 0.75, 0.75}));
        QCOMPARE(sgd.low, (std::vector{0.5, 0.5, 0.5}));
        QCOMPARE(sgd.high, (std::vector{1.0, 1.0, 1.0}));
        QCOMPARE(sgd.color, first.feed->color());
        QVERIFY(!chart.note.isEmpty());
        QCOMPARE(chart.y.maximum.value_or(0.0), 2.0 * 1.05); // the band of Adam's ranks is on the page
        QVERIFY(!named(chart, QStringLiteral("GD")).isVisible && named(chart, QStringLiteral("GD")).x.empty());
        // One that is left alone shows its ranks, and the others stay in the legend.
        second.feed->setVisible(false);
        const ui::ChartSpec alone = chartOf(feeds, MachineValue::Processors);
        QCOMPARE(named(alone, QStringLiteral("rank 0")).y[0], 1.0);
        QVERIFY(!named(alone, QStringLiteral("Adam")).isVisible);
    }

    /// The legend names a variant once, however often it is repeated.
    void repeatsHaveOneName()
    {
        SampleRun first("SGD", 0);
        SampleRun second("SGD", 0);
        second.setSeed(2);
        SampleRun other("Adam", 1);
        for (SampleRun* run : {&first, &second, &other}) {
            addSamples(*run, 3, 1.0, false);
        }
        const ui::ChartSpec chart
            = chartOf({first.feed.get(), other.feed.get(), second.feed.get()}, MachineValue::Processors);
        QStringList names;
        for (const ui::SeriesSpec& each : chart.series) {
            names += each.isInLegend ? QStringList(each.name) : QStringList();
        }
        QCOMPARE(names, (QStringList{QStringLiteral("SGD (n = 2)"), QStringLiteral("Adam")}));
        QCOMPARE(chart.series.size(), std::size_t(3));
        QVERIFY(chart.series.front().key.contains(u'+')); // a click switches both
    }

    /// A GPU that the run lets alone does not pull its mean down.
    void idleGpuIsNotTheRuns()
    {
        SampleRun first("SGD", 0);
        SampleRun second("Adam", 1);
        for (SampleRun* run : {&first, &second}) {
            analysis::MachineSample sample;
            sample.gpus.resize(2);
            sample.gpus[0].usePercent = 90.0;
            sample.gpus[1].number = 1;
            sample.gpus[1].usePercent = 0.0;
            sample.shares = {{0, 0, 1e9}, {1, -1, 1e9}};
            addFirst(*run, std::move(sample));
        }
        const ui::ChartSpec chart = chartOf({first.feed.get(), second.feed.get()}, MachineValue::GpuUse);
        QCOMPARE(named(chart, QStringLiteral("Adam")).y, std::vector{90.0});
        const ui::ChartSpec alone = chartOf({first.feed.get()}, MachineValue::GpuUse);
        QCOMPARE(named(alone, QStringLiteral("GPU 1")).y, std::vector{0.0});
        QVERIFY(named(alone, QStringLiteral("GPU 1")).width < named(alone, QStringLiteral("GPU 0")).width);
    }

    /// A driver in a container may not report who uses memory: then all memory in use is shown.
    void memoryOfNobody()
    {
        SampleRun first("SGD", 0);
        SampleRun second("Adam", 1);
        for (SampleRun* run : {&first, &second}) {
            analysis::MachineSample sample;
            sample.gpus.resize(1);
            sample.gpus[0].memoryBytes = 7e6;
            addFirst(*run, std::move(sample));
        }
        const ui::ChartSpec chart = chartOf({first.feed.get(), second.feed.get()}, MachineValue::GpuMemory);
        QCOMPARE(named(chart, QStringLiteral("SGD")).y, std::vector{7.0});
        QCOMPARE(named(chartOf({first.feed.get()}, MachineValue::GpuMemory), QStringLiteral("GPU 0, total in use")).y,
            std::vector{7.0});
    }

    void valuesHaveNames()
    {
        QStringList names;
        QStringList texts;
        for (const MachineValue value : ui::MachineValues) {
            names += ui::nameOf(value);
            texts += ui::textOf(value);
        }
        QCOMPARE(names.removeDuplicates(), 0);
        QCOMPARE(texts.removeDuplicates(), 0);
        QVERIFY(!texts.contains(QString()));
    }
};

LOCKSTEP_TEST_WITH(QGuiApplication, TestMachineCharts)
#include "test_machine_charts.moc"
