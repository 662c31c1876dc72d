#include "base/translate.h"
#include "experiment/choices.h"
#include "ui/models/charts/chart_kind.h"
#include "ui/models/charts/kinds/communication_charts.h"
#include "ui/models/charts/kinds/machine_charts.h"
#include "ui/models/charts/kinds/memory_charts.h"
#include "ui/models/charts/kinds/metric_chart.h"
#include "ui/models/charts/kinds/parameter_charts.h"
#include "ui/models/charts/kinds/partition_charts.h"
#include "ui/models/charts/kinds/scaling_charts.h"
#include "ui/models/charts/kinds/staleness_chart.h"
#include "ui/models/charts/kinds/test_loss_chart.h"
#include "ui/models/charts/kinds/throughput_chart.h"
#include "ui/models/charts/kinds/traffic_chart.h"
#include "ui/models/charts/kinds/training_charts.h"
#include "ui/models/feeds/run_state.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

bool hasTraining(const RunMix& runs)
{
    return runs.hasTraining;
}

bool hasSweep(const RunMix& runs)
{
    return runs.hasSweep && !(runs.onlyScales && runs.hasTraining);
}

bool hasRanks(const RunMix& runs)
{
    return runs.hasRanks && !runs.onlyScales;
}

bool isPartitioned(const RunMix& runs)
{
    return runs.isPartitioned;
}

bool isScaling(const RunMix& runs)
{
    return runs.isScaling;
}

bool isDivided(const RunMix& runs)
{
    return runs.isDivided;
}

constexpr ChartChoices MachineChoices{.name = LS_TR("ChartModel", "Which machine figures to show"),
    .help = LS_TR("ChartModel", "Lists only what the driver and the system report."),
    .none = LS_TR("Refusals",
        "these runs have no machine samples: they were too short, or were recorded before Lockstep took such samples"),
    .of = machineChoices};

constexpr ChartChoices MetricChoices{.name = LS_TR("ChartModel", "Which metric to show"),
    .help = LS_TR("ChartModel", "Lists what the programs of these runs report by name."),
    .none = "these runs have no metrics of their own: only a program of one's own reports them",
    .of = metricChoices};

constexpr ChartChoices FigureChoices{.name = LS_TR("ChartModel", "Which figure to show"),
    .help = LS_TR("ChartModel", "Lists only what these runs have measured."),
    .none = "none of these runs has finished",
    .of = figureChoices};

constexpr ChartChoices TimeChoices{.name = LS_TR("ChartModel", "What the bars are"),
    .help = LS_TR("ChartModel", "Time per step, time per sample, or each phase's share of a step."),
    .none = "these runs have no times",
    .of = timeChoices};

constexpr ChartChoices ReachChoices{.name = LS_TR("ChartModel", "How many ranks to show"),
    .help = LS_TR("ChartModel", "The measured numbers of ranks, or predictions far beyond them."),
    .none = "these runs have no numbers of ranks",
    .of = reachChoices};

constexpr const char* ScalingText = LS_TR(
    "ChartModel", "Once a single process and runs with several ranks have finished, this shows how training scales.");

constexpr ChartKind Kinds[] = {{.id = "loss",
                                   .name = LS_TR("ChartModel", "Loss"),
                                   .page = Page::Learning,
                                   .title = LS_TR("ChartModel", "Training loss (batch)"),
                                   .y = {.label = LS_TR("ChartModel", "Batch loss")},
                                   .add = addLoss,
                                   .applies = hasTraining,
                                   .isOverTime = true,
                                   .isSmoothed = true,
                                   .hasRepeats = true},
    {.id = "accuracy",
        .name = LS_TR("ChartModel", "Accuracy"),
        .page = Page::Learning,
        .title = LS_TR("ChartModel", "Test accuracy"),
        .y = {.label = LS_TR("ChartModel", "Test accuracy"), .unit = "%"},
        .add = addAccuracy,
        .applies = hasTraining,
        .isOverTime = true,
        .hasRepeats = true},
    {.id = "train-loss",
        .name = LS_TR("ChartModel", "Training loss"),
        .page = Page::Learning,
        .title = LS_TR("ChartModel", "Training loss at each evaluation"),
        .y = {.label = LS_TR("ChartModel", "Training loss")},
        .add = addTrainLoss,
        .applies = hasTraining,
        .isOverTime = true,
        .hasRepeats = true},
    {.id = "test-loss",
        .name = LS_TR("ChartModel", "Test loss"),
        .page = Page::Learning,
        .title = LS_TR("ChartModel", "Loss on the test set and on each rank's share"),
        .y = {.label = LS_TR("ChartModel", "Loss")},
        .emptyText = LS_TR("ChartModel",
            "Runs that split the data into shares show here their loss on the test set, which all have in common, "
            "beside each rank's loss on its own share."),
        .add = addTestLoss,
        .applies = isPartitioned,
        .isOverTime = true,
        .hasRepeats = true},
    {.id = "time",
        .name = LS_TR("ChartModel", "Time"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Time per step by phase"),
        .y = {.label = LS_TR("ChartModel", "Time per step"), .unit = "ms", .minimum = 0.0},
        .add = addTime,
        .applies = [](const RunMix& runs) { return runs.hasTraining && !runs.onlyScales; },
        .isOfTimes = true,
        .choices = &TimeChoices},
    {.id = "labels",
        .name = LS_TR("ChartModel", "Labels"),
        .page = Page::System,
        .title = LS_TR("ChartModel", "Samples by rank and label"),
        .x = {.label = LS_TR("ChartModel", "Label")},
        .y = {.label = LS_TR("ChartModel", "Rank")},
        .emptyText = LS_TR("ChartModel", "Runs that split the data into shares show here which labels each rank has."),
        .add = addLabelMap,
        .applies = isPartitioned},
    {.id = "shares",
        .name = LS_TR("ChartModel", "Shares"),
        .page = Page::System,
        .title = LS_TR("ChartModel", "Samples per rank by label"),
        .y = {.label = LS_TR("ChartModel", "Samples"), .minimum = 0.0},
        .emptyText = LS_TR("ChartModel", "Runs that split the data into shares show here how large the shares are."),
        .add = addShares,
        .applies = isPartitioned},
    {.id = "skew",
        .name = LS_TR("ChartModel", "Skew"),
        .page = Page::Learning,
        .title = LS_TR("ChartModel", "Accuracy over label skew"),
        .x = {.label = LS_TR("ChartModel", "Label skew"), .minimum = -0.02},
        .y = {.label = LS_TR("ChartModel", "Test accuracy"), .unit = "%"},
        .emptyText
        = LS_TR("ChartModel", "Runs that split the data into shares show here how the split affects the accuracy."),
        .add = addSkew,
        .applies = isPartitioned},
    {.id = "comm",
        .name = LS_TR("ChartModel", "Communication"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Communication by algorithm"),
        .y = {.label = LS_TR("ChartModel", "Communication and waiting per step"), .unit = "ms", .minimum = 0.0},
        .emptyText = LS_TR("ChartModel", "Runs with several ranks show here what communication costs."),
        .add = addCommunication,
        .applies = hasRanks,
        .isOfTimes = true},
    {.id = "ranks",
        .name = LS_TR("ChartModel", "Ranks"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Time per step by rank"),
        .y = {.label = LS_TR("ChartModel", "Time per step"), .unit = "ms", .minimum = 0.0},
        .emptyText = LS_TR("ChartModel", "Runs with several ranks show here how each rank spends its time."),
        .add = addRanks,
        .applies = hasRanks,
        .isOfTimes = true},
    {.id = "staleness",
        .name = LS_TR("ChartModel", "Staleness"),
        .page = Page::Learning,
        .title = LS_TR("ChartModel", "Staleness of the gradients"),
        .x = {.label = LS_TR("ChartModel", "Staleness"),
            .unit = LS_TR("ChartModel", "updates between reading the weights and pushing the gradient"),
            .minimum = -0.2},
        .y = {.label = LS_TR("ChartModel", "Share of the gradients"), .unit = "%", .minimum = 0.0},
        .emptyText = LS_TR("ChartModel",
            "Runs with an asynchronous parameter server show here how many updates it made while a rank computed a "
            "gradient."),
        .add = addStaleness,
        .applies = [](const RunMix& runs) { return runs.isAsynchronous; }},
    {.id = "sweep",
        .name = LS_TR("ChartModel", "Sweep"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Collective time by message size"),
        .y = {.label = LS_TR("ChartModel", "Time"), .unit = "µs", .scale = Scale::Log},
        .emptyText = LS_TR("ChartModel", "Run the Collectives experiment to see times by message size."),
        .add = addSweep,
        .applies = hasSweep},
    {.id = "bandwidth",
        .name = LS_TR("ChartModel", "Bandwidth"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Collective bus bandwidth by message size"),
        .y = {.label = LS_TR("ChartModel", "Bus bandwidth"), .unit = "GB/s", .minimum = 0.0},
        .emptyText = LS_TR("ChartModel", "Run the Collectives experiment to see bandwidths by message size."),
        .add = addBandwidth,
        .applies = hasSweep},
    {.id = "speed-up",
        .name = LS_TR("ChartModel", "Speed-up"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Speed-up over the single process"),
        .y = {.label = LS_TR("ChartModel", "Speed-up"), .unit = "×", .scale = Scale::Log},
        .emptyText = ScalingText,
        .add = addSpeedUp,
        .applies = isScaling,
        .choices = &ReachChoices},
    {.id = "efficiency",
        .name = LS_TR("ChartModel", "Efficiency"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Efficiency: speed-up divided by ranks"),
        .y = {.label = LS_TR("ChartModel", "Efficiency"), .unit = "%", .minimum = 0.0},
        .emptyText = ScalingText,
        .add = addEfficiency,
        .applies = isScaling,
        .choices = &ReachChoices},
    {.id = "throughput",
        .name = LS_TR("ChartModel", "Throughput"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Throughput by number of ranks"),
        .y = {.label = LS_TR("ChartModel", "Throughput"), .unit = LS_TR("ChartModel", "samples/s"), .minimum = 0.0},
        .emptyText = ScalingText,
        .add = addThroughput,
        .applies = [](const RunMix& runs) { return runs.isScaling || runs.isDivided; },
        .isOfTimes = true},
    {.id = "split",
        .name = LS_TR("ChartModel", "Breakdown"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Time per step by number of ranks"),
        .y = {.label = LS_TR("ChartModel", "Time per step"), .unit = "ms", .minimum = 0.0},
        .emptyText = ScalingText,
        .add = addSplit,
        .applies = isScaling},
    {.id = "target",
        .name = LS_TR("ChartModel", "Target"),
        .page = Page::Time,
        .title = LS_TR("ChartModel", "Time to target accuracy by number of ranks"),
        .y = {.label = LS_TR("ChartModel", "Time to target accuracy"), .unit = "s", .minimum = 0.0},
        .emptyText = LS_TR("ChartModel",
            "Once a single process and runs with several ranks have finished, this shows which of them reached the "
            "target accuracy first."),
        .add = addTimeToTarget,
        .applies = isScaling},
    {.id = "memory",
        .name = LS_TR("ChartModel", "Memory"),
        .page = Page::System,
        .title = LS_TR("ChartModel", "Memory per rank"),
        .y = {.label = LS_TR("ChartModel", "Memory"), .unit = "MB", .minimum = 0.0},
        .emptyText
        = LS_TR("ChartModel", "Once a run has made its first steps, this shows what each rank's memory is used for."),
        .add = addMemory,
        .applies = isDivided},
    {.id = "traffic",
        .name = LS_TR("ChartModel", "Traffic"),
        .page = Page::System,
        .title = LS_TR("ChartModel", "Data sent per rank and step"),
        .y = {.label = LS_TR("ChartModel", "Sent per step"), .unit = "kB", .minimum = 0.0},
        .emptyText = LS_TR(
            "ChartModel", "Once a run with several ranks has made its first steps, this shows what the ranks send."),
        .add = addTraffic,
        .applies = isDivided,
        .isOfTimes = true},
    {.id = "metric",
        .name = LS_TR("ChartModel", "Metrics"),
        .page = Page::Learning,
        .emptyText = LS_TR("ChartModel", "Your own programs show here what they report with run.metric()."),
        .add = addMetric,
        .applies = [](const RunMix& runs) { return runs.hasMetrics; },
        .isOverTime = true,
        .choices = &MetricChoices},
    {.id = "machine",
        .name = LS_TR("ChartModel", "Machine"),
        .page = Page::System,
        .emptyText
        = LS_TR("ChartModel", "While a run is in progress, this shows how it uses the machine: CPU, memory and GPUs."),
        .add = addMachine,
        .applies = [](const RunMix& runs) { return runs.hasMachine; },
        .hasRankPanels = true,
        .choices = &MachineChoices},
    {.id = "parameter",
        .name = LS_TR("ChartModel", "Parameter"),
        .page = Page::Learning,
        .emptyText = LS_TR("ChartModel",
            "Once runs that differ in one parameter have finished, this plots a figure against that parameter."),
        .add = addParameterLines,
        .applies = [](const RunMix& runs) { return runs.parameters > 0; },
        .choices = &FigureChoices,
        .parameters = parameterChoices,
        .secondLabel = LS_TR("ChartModel", "Lines")},
    {.id = "heat-map",
        .name = LS_TR("ChartModel", "Heat map"),
        .page = Page::Learning,
        .emptyText = LS_TR(
            "ChartModel", "Once runs that differ in two parameters have finished, this plots a figure against both."),
        .add = addParameterMap,
        .applies = [](const RunMix& runs) { return runs.parameters > 1; },
        .choices = &FigureChoices,
        .parameters = parameterChoices,
        .secondLabel = LS_TR("ChartModel", "Rows")}};

} // namespace

RunMix::RunMix(const Feeds& feeds)
{
    const auto any = [&feeds](const auto& holds) { return std::ranges::any_of(feeds, holds); };
    hasSweep = any([](const RunFeed* feed) { return isSweep(*feed); });
    hasTraining = feeds.empty() || any([](const RunFeed* feed) { return !isSweep(*feed); });
    hasRanks = any([](const RunFeed* feed) { return !isSweep(*feed) && ranksOf(*feed) > 1; });
    isAsynchronous = any([](const RunFeed* feed) {
        const experiment::RunSpec& spec = feed->record().spec;
        return is(spec, experiment::Strategy::Data) && is(spec, experiment::Algorithm::ParameterServerAsync);
    });
    isPartitioned = any([](const RunFeed* feed) { return hasShares(*feed); });
    isDivided = any([](const RunFeed* feed) { return isModelParallel(*feed); });
    const analysis::Scales scales = scalesOf(feeds);
    isScaling = scales != analysis::Scales::None;
    onlyScales = scales == analysis::Scales::Only;
    const ParameterChoices axes = parameterChoices(feeds, {});
    parameters = axes.first.isEmpty() ? 0 : axes.second.isEmpty() ? 1 : 2;
    update(feeds);
}

void RunMix::update(const Feeds& feeds)
{
    hasMetrics = std::ranges::any_of(feeds, [](const RunFeed* feed) { return lockstep::ui::hasMetrics(*feed); });
    hasMachine = std::ranges::any_of(feeds, [](const RunFeed* feed) { return !feed->state().machineSamples.empty(); });
}

std::size_t chosenOf(const std::vector<ChartChoice>& choices, const ChartOptions& options, std::size_t count)
{
    const bool isThere = std::ranges::find(choices, options.choice, &ChartChoice::value) != choices.end();
    const int chosen = isThere || choices.empty() ? options.choice : choices.front().value;
    return static_cast<std::size_t>(std::clamp(chosen, 0, static_cast<int>(count) - 1));
}

std::span<const ChartKind> chartKinds()
{
    return Kinds;
}

const ChartKind* findChart(QStringView id)
{
    const auto found = std::ranges::find_if(Kinds, [&](const ChartKind& kind) { return id == QLatin1String(kind.id); });
    return found == std::end(Kinds) ? nullptr : &*found;
}

} // namespace lockstep::ui
