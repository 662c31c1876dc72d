#include "analysis/scaling/estimate.h"

#include "analysis/scaling/comm_cost.h"
#include "experiment/choices.h"
#include "experiment/text_windows.h"
#include "plan/activations.h"
#include "plan/local_sgd.h"
#include "plan/memory.h"
#include "plan/net.h"
#include "plan/steps.h"
#include "plan/zero.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

/// Only used until a run has been measured on such a processor.
struct RoughSpeed {
    double flopsPerSecond;
    double secondsPerStep; ///< besides arithmetic: launching a few dozen operators
    double startSeconds; ///< starting a process that loads LibTorch, and making or reading the data
};
/// A core of the last ten years on nets of this size.
constexpr RoughSpeed OnCore{.flopsPerSecond = 2e10, .secondsPerStep = 1.5e-4, .startSeconds = 1.0};
/// The order of magnitude on small nets, which launch kernels most of the time; CUDA's context is made at the start.
constexpr RoughSpeed OnGpu{.flopsPerSecond = 2e12, .secondsPerStep = 5e-4, .startSeconds = 4.0};
constexpr double BackwardOverForward = 2.0;
/// The speed of a disk or the system's cache of it.
constexpr double RoughDiskBytesPerSecond = 1e9;
/// Of a measured time, where what an emulated link and a straggler should have taken is as much or more.
constexpr double LeastComputed = 0.05;

double forwardFlops(const experiment::RunSpec& run)
{
    return static_cast<double>(plan::forwardFlopsOf(plan::netUnits(run)));
}

/// How many times as long the slowest rank computes.
double slowness(const experiment::RunSpec& run)
{
    return std::max(1.0, run.settings->straggler.factor); // no list of ranks is without a rank
}

/// Whether the time of messages over an emulated link can be calculated: one exchange of all weights or gradients,
/// whose overlap with backward is left out.
bool isExchangeModelled(const experiment::RunSpec& run)
{
    using namespace experiment;
    const bool isAllReduce
        = is(run, Rule::Mean, Rule::WeightedMean, Rule::Sum) && !is(run, Algorithm::ParameterServerAsync);
    return (hasReplicas(run) && isAllReduce) || is(run, Strategy::Zero);
}

/// What a step takes on any machine: a straggler's delay, and the messages over an emulated link.
double emulatedSecondsPerStep(const experiment::RunSpec& run, const plan::StepPlan& plan)
{
    const experiment::Settings& settings = *run.settings;
    const double delay = settings.straggler.delayMs * 1e-3;
    const auto ranks = experiment::worldSizeOf(run);
    if (!settings.link.isEmulated() || !isExchangeModelled(run) || !ranks) {
        return delay;
    }
    const double megabits = settings.link.bandwidthMbps;
    const LinkCost link{settings.link.latencyUs * 1e-6, megabits > 0.0 ? 8e-6 / megabits : 0.0};
    const double bytes = static_cast<double>(plan::parametersOf(plan::netUnits(run)) * plan::numberBytes(run));
    const std::string algorithm(
        is(run, experiment::Strategy::Zero) ? "all_reduce" : nameOf(settings.aggregation.algorithm));
    const double exchange = algorithmSeconds(algorithm, *ranks, link, bytes).value_or(0.0);
    return delay
        + exchange
        / (experiment::trainsLocally(run) ? static_cast<double>(plan::stepsBetweenSynchronizations(run, plan)) : 1.0);
}

struct Work {
    double trainSamples = 0.0;
    double forwardsPerStep = 1.0; ///< more than 1 where backward recomputes activations
    double steps = 0.0;
    double evaluatedSamples = 0.0; ///< before the last step
    double lastEvaluated = 0.0; ///< samples
    double slowness = 1.0; ///< of computation in training
    double emulatedSeconds = 0.0;
};

Work workOf(const experiment::RunSpec& run, std::int64_t trainSamples, std::int64_t testSamples)
{
    const plan::StepPlan plan = plan::stepPlan(run, trainSamples);
    const std::int64_t interval = run.settings->train.evaluateEvery * plan.stepsPerEpoch;
    const std::int64_t evaluations = plan.totalSteps / interval + (plan.totalSteps % interval == 0 ? 0 : 1);
    // Without a test set there is no evaluation.
    const std::int64_t evaluated = testSamples > 0 ? testSamples + plan::evaluatedTrainSamples(trainSamples) : 0;
    return {static_cast<double>(plan.totalSteps) * static_cast<double>(plan.batch), 1.0 + plan::recomputedShare(run),
        static_cast<double>(plan.totalSteps),
        static_cast<double>(std::max<std::int64_t>(0, evaluations - 1)) * static_cast<double>(evaluated),
        evaluations > 0 ? static_cast<double>(evaluated) : 0.0, slowness(run),
        static_cast<double>(plan.totalSteps) * emulatedSecondsPerStep(run, plan)};
}

const RoughSpeed& roughSpeed(Processor processor)
{
    return processor == Processor::Gpu ? OnGpu : OnCore;
}

double roughSeconds(double flopsPerSample, const Work& work, Processor processor)
{
    const RoughSpeed& speed = roughSpeed(processor);
    const double forwards
        = work.slowness * work.trainSamples * (work.forwardsPerStep + BackwardOverForward) + work.evaluatedSamples;
    return forwards * flopsPerSample / speed.flopsPerSecond + work.steps * speed.secondsPerStep;
}

std::int64_t samplesOr(std::int64_t known, std::int64_t otherwise)
{
    return known > 0 ? known : otherwise;
}

Work workOf(const experiment::RunSpec& run)
{
    // File sizes are only known once read; those of MNIST and CIFAR are known, and a text is assumed to be like the
    // built-in one.
    const bool isText = is(run, experiment::DataSet::Text);
    const auto text = experiment::textWindows(experiment::BuiltInTextBytes, run.settings->net.context);
    const std::int64_t images = experiment::dataFactsOf(run).channels == 3 ? 50'000 : 60'000;
    return workOf(run,
        samplesOr(experiment::knownTrainSamples(run), isText ? std::max<std::int64_t>(1, text.train) : images),
        samplesOr(experiment::knownTestSamples(run), isText ? text.test : 10'000));
}

/// Reading and writing the optimizer state that is on disk (zero.offload), in one step.
double roughOffloadSeconds(const experiment::RunSpec& run, std::int64_t parameters)
{
    const auto ranks = experiment::worldSizeOf(run);
    if (plan::offloadOf(run) != experiment::Offload::Disk || !ranks) {
        return 0.0;
    }
    const MemoryBytes states = plan::stateBytes(parameters, plan::numberBytes(run),
        plan::optimizerNumbers(run.settings->optimizer.name), plan::zeroStage(run), *ranks);
    return 2.0 * static_cast<double>(of(states, MemoryKind::Optimizer)) / RoughDiskBytesPerSecond;
}

/// Of as near runs this many, the newest, are compared setting by setting.
constexpr int MostTiesCompared = 50;

/// The seed changes no time.
std::ptrdiff_t equalSettings(const experiment::RunSpec& run, const experiment::RunSpec& other)
{
    return std::ranges::count_if(run.settings, [&](const auto& setting) {
        const auto found = other.settings.find(setting.first);
        return setting.first != nameOf(&experiment::TrainSettings::seed) && found != other.settings.end()
            && found->second == setting.second;
    });
}

/// 0: no use, higher is nearer.
int nearness(const experiment::RunSpec& run, const RunRecord& record, Processor processor)
{
    // The time of a run that was changed by hand is not that of its settings, and another machine's is not this one's.
    const bool measured = record.status == RunStatus::Finished && record.summary.trainSeconds > 0.0
        && !record.summary.interference.any() && record.importedFrom.empty();
    if (!measured) {
        return 0;
    }
    const experiment::Settings& asked = *run.settings;
    const experiment::Settings& had = *record.spec.settings;
    const auto ranks = experiment::worldSizeOf(run);
    const auto theirRanks = experiment::worldSizeOf(record.spec);
    // Several ranks on the same cores are a different workload, and so is state on disk.
    if (asked.rank.strategy != had.rank.strategy || asked.zero.offload != had.zero.offload || !ranks || !theirRanks
        || *ranks != *theirRanks) {
        return 0;
    }
    const Processor theirs = processorOf(record);
    const bool areKnown = processor != Processor::Unknown && theirs != Processor::Unknown;
    const bool isSameProcessor = areKnown ? processor == theirs : asked.rank.device == had.rank.device;
    if (!isSameProcessor || had.rank.threads != asked.rank.threads) {
        return 0;
    }
    const bool isSameLink
        = asked.link.latencyUs == had.link.latencyUs && asked.link.bandwidthMbps == had.link.bandwidthMbps;
    if (!isSameLink && !isExchangeModelled(run)) {
        return 0;
    }
    int points = 1;
    points += isSameLink && asked.straggler.delayMs == had.straggler.delayMs ? 8 : 0;
    points += asked.net.name == had.net.name ? 8 : 0;
    points += asked.train.dtype == had.train.dtype ? 4 : 0;
    points += asked.aggregation.algorithm == had.aggregation.algorithm ? 3 : 0;
    points += asked.optimizer.name == had.optimizer.name ? 2 : 0;
    points += asked.dataset.name == had.dataset.name ? 1 : 0;
    return points;
}

/// Whether the two read the same samples, so that one predicts the other's number.
bool hasSameData(const experiment::RunSpec& run, const RunRecord& record)
{
    const experiment::DatasetSettings& asked = run.settings->dataset;
    const experiment::DatasetSettings& had = record.spec.settings->dataset;
    return record.summary.trainSamples > 0 && asked.name == had.name && asked.path == had.path
        && asked.trainSamples == had.trainSamples && asked.testSamples == had.testSamples;
}

Work workOf(const RunRecord& record)
{
    return record.summary.trainSamples > 0
        ? workOf(record.spec, record.summary.trainSamples, record.summary.testSamples)
        : workOf(record.spec);
}

} // namespace

const RunRecord* nearestRun(const experiment::RunSpec& run, std::span<const RunRecord> history, Processor processor)
{
    const RunRecord* best = nullptr;
    int bestPoints = 0;
    std::ptrdiff_t mostEqual = 0; // of those with as many points: a repeat of the run before all others
    int compared = 0;
    for (const RunRecord& record : history) {
        const int points = nearness(run, record, processor);
        compared = points > bestPoints ? 0 : compared;
        if (points == 0 || points < bestPoints || compared == MostTiesCompared) {
            continue;
        }
        ++compared;
        const std::ptrdiff_t equal = equalSettings(run, record.spec);
        if (points > bestPoints || equal > mostEqual) {
            best = &record;
            bestPoints = points;
            mostEqual = equal;
        }
    }
    return best;
}

namespace {

/// A sweep trains nothing: at most about a second a size, or as long as the last such sweep took.
Estimate estimateOfSweep(const experiment::RunSpec& run, std::span<const RunRecord> history, Processor processor)
{
    Estimate result;
    const auto smallest = static_cast<double>(run.settings->sweep.minBytes);
    const auto largest = static_cast<double>(run.settings->sweep.maxBytes);
    const double sizes
        = std::floor(std::log(largest / smallest) / std::log(static_cast<double>(run.settings->sweep.factor))) + 1.0;
    result.steps = static_cast<std::int64_t>(sizes) * (is(run, experiment::SweepBuffers::Both) ? 2 : 1);
    const double roughStart = roughSpeed(processor).startSeconds;
    const RunRecord* measured = nearestRun(run, history, processor);
    if (measured != nullptr && measured->summary.steps > 0) {
        const double start = measured->summary.startSeconds;
        result.startSeconds = std::isfinite(start) ? start : roughStart;
        result.seconds = measured->summary.trainSeconds * static_cast<double>(result.steps)
                / static_cast<double>(measured->summary.steps)
            + result.startSeconds;
        result.fromMeasurement = true;
    } else {
        result.startSeconds = roughStart;
        result.seconds = 0.3 * static_cast<double>(result.steps) + roughStart;
    }
    return result;
}

} // namespace

Estimate estimate(const experiment::RunSpec& run, std::span<const RunRecord> history, Processor processor)
{
    if (experiment::isSweep(run)) {
        return estimateOfSweep(run, history, processor);
    }
    if (is(run, experiment::Strategy::Own)) {
        return {}; // only the program knows
    }
    const std::vector<plan::NetUnit> units = plan::netUnits(run);
    const auto flops = static_cast<double>(plan::forwardFlopsOf(units));
    const double roughStart = roughSpeed(processor).startSeconds;
    Work work = workOf(run);
    Estimate result;
    if (const RunRecord* measured = nearestRun(run, history, processor); measured != nullptr) {
        if (hasSameData(run, *measured)) {
            work = workOf(run, measured->summary.trainSamples, measured->summary.testSamples);
        }
        const double start = measured->summary.startSeconds;
        result.startSeconds = std::isfinite(start) ? start : roughStart;
        const Work theirs = workOf(*measured);
        const double trained = measured->summary.trainSeconds;
        const double computed = std::max(LeastComputed * trained, trained - theirs.emulatedSeconds);
        const double scale = computed / roughSeconds(forwardFlops(measured->spec), theirs, processor);
        result.lastEvaluationSeconds = scale * work.lastEvaluated * flops / roughSpeed(processor).flopsPerSecond;
        result.seconds = scale * roughSeconds(flops, work, processor) + work.emulatedSeconds + result.startSeconds;
        result.fromMeasurement = true;
    } else {
        result.startSeconds = roughStart;
        result.lastEvaluationSeconds = work.lastEvaluated * flops / roughSpeed(processor).flopsPerSecond;
        result.seconds = roughSeconds(flops, work, processor)
            + work.steps * roughOffloadSeconds(run, plan::parametersOf(units)) + work.emulatedSeconds + roughStart;
    }
    result.parameters = plan::parametersOf(units);
    result.steps = static_cast<std::int64_t>(work.steps);
    result.forwardFlopsPerSample = flops;
    return result;
}

bool isMeasuredInTurns(const experiment::RunSpec& run)
{
    return !is(run, experiment::Strategy::Collectives, experiment::Strategy::Own)
        && run.settings->measure.isInterleaved;
}

double mostSecondsOfMeasuring(std::span<const experiment::RunSpec> runs)
{
    std::map<int, std::pair<int, double>> comparisons; ///< by repeat: variants and limit
    for (const experiment::RunSpec& run : runs) {
        if (isMeasuredInTurns(run)) {
            auto& [variants, limit] = comparisons[run.repeat];
            ++variants;
            limit = std::max(limit, run.settings->measure.limitSeconds);
        }
    }
    double seconds = 0.0;
    for (const auto& [repeat, comparison] : comparisons) {
        seconds += comparison.first > 1 ? comparison.second : 0.0;
    }
    return seconds;
}

} // namespace lockstep::analysis
