#include "analysis/figures/figure.h"

#include "base/translate.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

using enum Estimator;

/// The loss of a run differs by a few percent from seed to seed.
constexpr double SmallestOfLosses = 0.05;
constexpr double OnePoint = 0.01;

constexpr Figure lossFigure(std::string_view name, std::string_view shortName, double Summary::*member,
    std::string_view label, std::string_view help, bool isStandard = false)
{
    return {.name = name,
        .shortName = shortName,
        .estimator = Arithmetic,
        .label = label,
        .help = help,
        .member = member,
        .smallestDifference = SmallestOfLosses,
        .isStandard = isStandard};
}

constexpr Figure shareFigure(std::string_view name, std::string_view shortName, double Summary::*member,
    std::string_view label, std::string_view help, bool isStandard = false)
{
    return {.name = name,
        .shortName = shortName,
        .kind = FigureKind::Share,
        .estimator = Logit,
        .unit = "%",
        .label = label,
        .help = help,
        .member = member,
        .scale = 100.0,
        .smallestDifference = OnePoint,
        .isStandard = isStandard};
}

/// Of times and throughputs.
constexpr Figure timeFigure(std::string_view name, double Summary::*member, std::string_view unit,
    std::string_view label, std::string_view help, bool isStandard = false)
{
    return {.name = name, .unit = unit, .label = label, .help = help, .member = member, .isStandard = isStandard};
}

/// Over blocks of steps; of a run of an earlier version the mean over all steps.
constexpr Figure typicalFigure(std::string_view name, double Summary::*member, double Summary::*otherwise,
    std::string_view unit, std::string_view label, std::string_view help, bool isStandard = false)
{
    Figure figure = timeFigure(name, member, unit, label, help, isStandard);
    figure.otherwise = otherwise;
    return figure;
}

/// Of what is often 0.
constexpr Figure plainFigure(std::string_view name, std::string_view shortName, double Summary::*member,
    std::string_view unit, std::string_view label, std::string_view help)
{
    return {.name = name,
        .shortName = shortName,
        .estimator = Arithmetic,
        .unit = unit,
        .label = label,
        .help = help,
        .member = member};
}

double stepsOf(const RunRecord& run)
{
    return hasStarted(run) ? static_cast<double>(run.summary.steps) : NotMeasured;
}

/// Of the rank that needs most.
double peakBytesOf(const RunRecord& run)
{
    std::int64_t most = 0;
    for (const RankMemory& rank : run.summary.memory) {
        most = std::max(most, rank.highest);
    }
    return most > 0 ? static_cast<double>(most) : NotMeasured;
}

/// Of the rank that keeps most.
double statesBytesOf(const RunRecord& run)
{
    std::int64_t most = 0;
    for (const RankMemory& rank : run.summary.memory) {
        most = std::max(most, statesOf(rank.afterStep));
    }
    return most > 0 ? static_cast<double>(most) : NotMeasured;
}

/// The quotient of two typical figures: of their means, too.
double commShareOf(const RunRecord& run)
{
    return commMsPerStepOf(run.summary) / msPerStepOf(run.summary);
}

double commsWithWaitOf(const RunRecord& run)
{
    const double wait = waitMsPerStepOf(run.summary);
    return (commMsPerStepOf(run.summary) + (std::isfinite(wait) ? wait : 0.0)) / msPerStepOf(run.summary);
}

constexpr Figure quotientFigure(
    std::string_view name, double (*function)(const RunRecord& run), std::string_view label, std::string_view help)
{
    return {.name = name,
        .kind = FigureKind::Share,
        .unit = "%",
        .label = label,
        .help = help,
        .function = function,
        .scale = 100.0,
        .smallestDifference = OnePoint,
        .isInResults = false};
}

constexpr Figure All[] = {
    lossFigure("final_loss", "loss", &Summary::finalLoss, LS_TR("Figures", "Last batch loss"),
        LS_TR("Figures", "Mean loss of the last step's batch.")),
    lossFigure("best_loss", {}, &Summary::bestLoss, LS_TR("Figures", "Lowest batch loss"),
        LS_TR("Figures", "The lowest batch loss of any step.")),
    lossFigure("train_loss", {}, &Summary::trainLoss, LS_TR("Figures", "Training loss"),
        LS_TR("Figures", "Mean loss on the first 10,000 training samples at the last evaluation."), true),
    shareFigure("test_accuracy", "accuracy", &Summary::testAccuracy, LS_TR("Figures", "Test accuracy"),
        LS_TR("Figures", "Share of the test set that the last evaluation classified correctly."), true),
    shareFigure("best_test_accuracy", "best_accuracy", &Summary::bestTestAccuracy,
        LS_TR("Figures", "Best test accuracy"),
        LS_TR("Figures", "The highest accuracy of any evaluation on the test set.")),
    timeFigure("ms_per_step", &Summary::msPerStep, "ms", LS_TR("Figures", "Mean time per step"),
        LS_TR("Figures", "Mean after 10 warm-up steps, without evaluation and pauses. A single stall changes it.")),
    timeFigure("samples_per_s", &Summary::samplesPerSecond, LS_TR("Figures", "samples/s"),
        LS_TR("Figures", "Mean throughput"),
        LS_TR("Figures", "Training samples per second of all ranks, mean over all steps after the warm-up.")),
    typicalFigure("ms_per_step_typical", &Summary::msPerStepTypical, &Summary::msPerStep, "ms",
        LS_TR("Figures", "Time per step"),
        LS_TR("Figures",
            "Geometric mean over blocks of steps after 10 warm-up steps, without those in which a run stalled."),
        true),
    typicalFigure("samples_per_s_typical", &Summary::samplesPerSecondTypical, &Summary::samplesPerSecond,
        LS_TR("Figures", "samples/s"), LS_TR("Figures", "Throughput"),
        LS_TR("Figures",
            "Training samples per second of all ranks: geometric mean over blocks of steps, without those in which a "
            "run stalled."),
        true),
    {.name = "steps",
        .kind = FigureKind::Count,
        .label = LS_TR("Figures", "Steps done"),
        .help = LS_TR("Figures", "Number of training steps done."),
        .function = stepsOf,
        .isStandard = true},
    timeFigure("comm_ms_per_step", &Summary::commMsPerStep, "ms", LS_TR("Figures", "Mean communication per step"),
        LS_TR("Figures", "Part of the mean time per step; includes waiting where it cannot be told apart.")),
    timeFigure("wait_ms_per_step", &Summary::waitMsPerStep, "ms", LS_TR("Figures", "Mean waiting per step"),
        LS_TR("Figures", "Part of the mean time per step in which a rank waits for others.")),
    typicalFigure("comm_ms_per_step_typical", &Summary::commMsPerStepTypical, &Summary::commMsPerStep, "ms",
        LS_TR("Figures", "Communication per step"),
        LS_TR(
            "Figures", "Part of the time per step, mean over ranks; includes waiting where it cannot be told apart.")),
    typicalFigure("wait_ms_per_step_typical", &Summary::waitMsPerStepTypical, &Summary::waitMsPerStep, "ms",
        LS_TR("Figures", "Waiting per step"),
        LS_TR("Figures", "Part of the time per step in which a rank waits for others, mean over ranks.")),
    timeFigure("between_hosts_ms_per_step", &Summary::betweenHostsMsPerStep, "ms",
        LS_TR("Figures", "Communication between hosts per step"),
        LS_TR("Figures", "The part of the communication that is between hosts, where the backend reports it.")),
    shareFigure("comm_fraction", "comm_share", &Summary::commFraction, LS_TR("Figures", "Mean share of communication"),
        LS_TR("Figures", "Communication as a share of the mean time per step, without waiting.")),
    quotientFigure("comm_fraction_typical", commShareOf, LS_TR("Figures", "Share of communication"),
        LS_TR("Figures", "Communication per step over the time per step, without waiting.")),
    quotientFigure("comms_with_wait_typical", commsWithWaitOf, LS_TR("Figures", "Share of communication and waiting"),
        LS_TR("Figures", "Communication and waiting per step over the time per step.")),
    shareFigure("comms_with_wait", {}, &Summary::commWithWaitFraction,
        LS_TR("Figures", "Mean share of communication and waiting"),
        LS_TR("Figures",
            "Communication and waiting for other ranks as a share of the mean time per step; GPT-NeoX and DeepSpeed "
            "call it "
            "%comms.")),
    {.name = "bytes_per_step",
        .kind = FigureKind::Bytes,
        .unit = "kB",
        .label = LS_TR("Figures", "Sent per rank and step"),
        .help = LS_TR("Figures", "Bytes sent by one rank in a step, mean."),
        .member = &Summary::bytesPerStep,
        .scale = 1e-3},
    timeFigure("seconds_to_first_loss", &Summary::secondsToFirstLoss, "s", LS_TR("Figures", "Time to the first loss"),
        LS_TR("Figures", "From the start of Lockstep.")),
    {.name = "verify_max_relative_difference",
        .shortName = "verify_difference",
        .label = LS_TR("Figures", "Difference from a single process"),
        .help = LS_TR("Figures", "Largest relative difference of the losses from those of a single process."),
        .member = &Summary::verifyMaxRelativeDifference},
    plainFigure("label_skew", {}, &Summary::labelSkew, {}, LS_TR("Figures", "Label skew"),
        LS_TR("Figures", "How much the labels of the ranks' shares differ from those of the whole set: 0 to 1.")),
    plainFigure("staleness", {}, &Summary::staleness, LS_TR("Figures", "steps"), LS_TR("Figures", "Mean staleness"),
        LS_TR("Figures", "Mean age of the gradients that an asynchronous server applied.")),
    plainFigure("staleness_max", "max_staleness", &Summary::largestStaleness, LS_TR("Figures", "steps"),
        LS_TR("Figures", "Largest staleness"),
        LS_TR("Figures", "The age of the oldest gradient that an asynchronous server applied.")),
    shareFigure("overlap_fraction", "overlap", &Summary::overlapFraction, LS_TR("Figures", "Overlap"),
        LS_TR("Figures", "Share of the communication that overlapped with the backward pass.")),
    timeFigure("exposed_ms_per_step", &Summary::exposedMsPerStep, "ms",
        LS_TR("Figures", "Exposed communication per step"),
        LS_TR("Figures", "Communication and waiting that no computation overlapped; mean over ranks.")),
    timeFigure("critical_comm_ms_per_step", &Summary::criticalCommMsPerStep, "ms",
        LS_TR("Figures", "Communication on the critical path"),
        LS_TR("Figures", "Mean time per step that communication takes on the critical path.")),
    {.name = "critical_rank", .member = &Summary::criticalRank},
    shareFigure("critical_share", {}, &Summary::criticalShare, LS_TR("Figures", "Largest share of the critical path"),
        LS_TR("Figures", "Share of the critical path's time spent on the rank that takes up most of it.")),
    shareFigure("bubble_fraction", "bubble", &Summary::bubbleFraction, LS_TR("Figures", "Pipeline bubble"),
        LS_TR("Figures", "Share of a pipeline's time in which stages are idle.")),
    {.name = "start_seconds",
        .unit = "s",
        .label = LS_TR("Figures", "Start-up time"),
        .help = LS_TR("Figures", "From the start of the rank processes to the first step."),
        .member = &Summary::startSeconds,
        .isInResults = false},
    timeFigure("train_seconds", &Summary::trainSeconds, "s", LS_TR("Figures", "Training and evaluation time"),
        LS_TR("Figures",
            "From the start of the first step to the end of the last, evaluations included, without pauses."),
        true),
    shareFigure("run_delay_share", "run_delay", &Summary::runDelayShare, LS_TR("Figures", "Waiting for a core"),
        LS_TR("Figures", "Share of the time in which the ranks could run that they waited for a core.")),
    shareFigure("run_delay_by_others", "delay_by_others", &Summary::delayByOthers,
        LS_TR("Figures", "Waiting for a core that other work used"),
        LS_TR("Figures",
            "Share of the time in which the ranks could run that they waited for a core that other programs used. "
            "From 10 % on the machine counts as busy.")),
    plainFigure("cpu_cores", {}, &Summary::cpuCores, {}, LS_TR("Figures", "Cores used"),
        LS_TR("Figures", "How many cores all ranks together kept busy, mean.")),
    {.name = "peak_bytes",
        .shortName = "peak_memory",
        .kind = FigureKind::Bytes,
        .unit = "MB",
        .label = LS_TR("Figures", "Peak memory per rank"),
        .help
        = LS_TR("Figures", "The most memory that tensors of one rank took at any time; the largest of all ranks."),
        .function = peakBytesOf,
        .scale = 1e-6},
    {.name = "states_bytes",
        .shortName = "states_memory",
        .kind = FigureKind::Bytes,
        .unit = "MB",
        .label = LS_TR("Figures", "Memory of states per rank"),
        .help = LS_TR("Figures",
            "Parameters, gradients and optimizer state that one rank keeps after a step; the largest of all ranks."),
        .function = statesBytesOf,
        .scale = 1e-6},
};

} // namespace

std::span<const Figure> figures()
{
    return All;
}

const Figure* findFigure(std::string_view name)
{
    const auto found = std::ranges::find_if(
        All, [name](const Figure& figure) { return figure.name == name || figure.columnName() == name; });
    return found == std::end(All) ? nullptr : &*found;
}

const Figure& figureOf(double Summary::*member)
{
    return *std::ranges::find(All, member, &Figure::member);
}

} // namespace lockstep::analysis
