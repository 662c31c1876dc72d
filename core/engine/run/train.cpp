#include "engine/run/train.h"

#include "base/process_limits.h"
#include "engine/memory/memory_account.h"
#include "engine/ranks/devices/cores.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/run/files/checkpoint.h"
#include "engine/run/host_clock.h"
#include "engine/run/loop.h"
#include "engine/run/resumption.h"
#include "engine/run/stuck_rank.h"
#include "engine/run/sweep/measure.h"
#include "engine/run/verify.h"
#include "engine/strategy/call_report.h"
#include "engine/strategy/registry.h"
#include "experiment/choices.h"
#include "plan/activations.h"
#include "plan/memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <torch/types.h>

#include <exception>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

wire::Goodbye refused(const Error& error)
{
    return wire::Goodbye::of(wire::Outcome::Refused, 0, error);
}

wire::Goodbye failed(const RankContext& context, std::int64_t done, const Error& cause)
{
    return wire::Goodbye::of(
        wire::Outcome::Failed, done, {LS_TR("Messages", "%1, after %2 steps"), {ofRank(cause, context.rank), done}});
}

std::string firstLine(const char* text)
{
    const std::string whole(text);
    return whole.substr(0, whole.find('\n'));
}

/// On a GPU LibTorch's allocator ends a run that goes far beyond its limit within a step.
Error whatFailed(const experiment::RunSpec& run, const c10::Error& error)
{
    const Text text = verbatim(firstLine(error.what_without_backtrace()));
    const bool isLimit = plan::memoryLimitOf(run) > 0 && text.english.find("out of memory") != std::string::npos;
    return isLimit ? refusal(nameOf(&experiment::RankSettings::memoryMb), LS_TR("Messages", "%1"), {text})
                   : failureOf(text);
}

/// The effect of `train.recompute`; empty if nothing is recomputed.
Text recomputedText(const experiment::RunSpec& run)
{
    if (is(run, experiment::Recompute::Stage)) {
        return LS_TR("Messages",
            "activation recomputation: each stage keeps only its inputs and runs forward again in backward");
    }
    if (is(run, experiment::Recompute::None)) {
        return {};
    }
    return {
        LS_TR("Messages", "activation recomputation: %1 segments of layers, %2 % of forward runs again in backward"),
        {plan::segmentsOf(run).size(), verbatim(fmt::format("{:.0f}", 100.0 * plan::recomputedShare(run)))}};
}

void announce(const experiment::RunSpec& run, const RankContext& context, const Job& job,
    const plan::Placement& placement, const Strategy& strategy, Recorder& recorder)
{
    const Text communication = strategy.description();
    const auto [dataset, datasetData] = asFields(job.data.description);
    const auto [communicates, communicationData] = asFields(communication);
    const ResumedFrom resumed = resumedFrom(run, job);
    recorder.prepared({.device = placement.device(context.localRank),
        .trainSamples = job.data.train.size(),
        .testSamples = job.data.test.size(),
        .totalSteps = job.plan.totalSteps,
        .stepsPerEpoch = job.plan.stepsPerEpoch,
        .parameterCount = job.net.parameterCount(),
        .dataNs = job.dataNs,
        .dataset = dataset,
        .communication = communicates,
        .cores = coresAtStart(),
        .datasetData = datasetData,
        .communicationData = communicationData,
        .resumedStep = resumed.step,
        .resumedNs = resumed.trainedNs,
        .scheduledSteps = resumed.scheduledSteps});
    if (!job.partition.shares.empty()) {
        const plan::ShareSummary& mine = job.partition.shares[static_cast<std::size_t>(context.rank.number)];
        recorder.record(wire::Share{mine.samples, mine.shared, job.partition.redraws, mine.labels});
    }
    if (context.rank.number != 0) {
        return; // one rank reports for all
    }
    if (job.partition.redraws > 0) {
        recorder.log(wire::LogLevel::Info,
            {LS_TR("Messages", "the partition was redrawn %1 times, until every rank had enough samples"),
                {job.partition.redraws}});
    }
    std::vector<Text> facts{job.data.description, verbatim(nameOf(run.settings->net.name)), job.net.parameterCount(),
        verbatim(placement.devices()), job.plan.totalSteps};
    if (communication.empty()) {
        recorder.log(wire::LogLevel::Info, {LS_TR("Messages", "%1; %2 with %3 weights on %4; %5 steps"), facts});
    } else {
        facts.insert(facts.end(), {context.worldSize, communication});
        recorder.log(
            wire::LogLevel::Info, {LS_TR("Messages", "%1; %2 with %3 weights on %4; %5 steps; %6 ranks, %7"), facts});
    }
    if (const Text recomputed = recomputedText(run); !recomputed.empty()) {
        recorder.log(wire::LogLevel::Info, recomputed);
    }
    for (const auto& warning : warningsHere(run, context, placement, strategy.network().get())) {
        recorder.log(wire::LogLevel::Warning, warning);
    }
}

/// Losses over all ranks, from each rank's own; then compares. Rank 0 reports.
Result<void> verifyRun(const experiment::RunSpec& run, const RankContext& context, const Job& job, Strategy& strategy,
    std::vector<double>& sums, Recorder& recorder)
{
    LOCKSTEP_TRY(strategy.allReduceSum(sums));
    if (context.rank.number != 0 || sums.empty()) {
        return {};
    }
    std::vector<double> losses;
    for (std::size_t i = 0; i < sums.size(); i += 2) {
        losses.push_back(sums[i] / sums[i + 1]);
    }
    LOCKSTEP_TRY_ASSIGN(const auto result, verify(run, job, losses));
    recorder.record(result);
    const Text difference = verbatim(fmt::format("{:.2g}", result.maxRelativeDifference));
    recorder.log(wire::LogLevel::Info,
        result.drifts.empty()
            ? Text(LS_TR("Messages", "verified: the loss is that of one process to within %1 over %2 steps"),
                {difference, result.steps})
            : Text(LS_TR("Messages",
                       "verified: the loss is that of one process to within %1 over %2 steps; single processes that "
                       "sum in other orders drift apart by %3"),
                {difference, result.steps, verbatim(fmt::format("{:.2g}", fmt::join(result.drifts, ", ")))}));
    return {};
}

/// What a resumed run does not share with one that was never interrupted.
void logResumption(const TrainingLoop::Parts& parts)
{
    const ResumedFrom resumed = resumedFrom(parts.run, parts.job);
    if (resumed.trainedNs < 0) {
        parts.recorder.log(wire::LogLevel::Info,
            LS_TR("Messages",
                "the checkpoint does not say how long the steps before it took: this run's seconds are unknown"));
    }
    if (resumed.scheduledSteps > 0) {
        parts.recorder.log(wire::LogLevel::Info,
            {LS_TR("Messages",
                 "the learning-rate schedule of the first %1 steps was made for %2 steps; it is recomputed for %3, so "
                 "that the rates differ from those of one run of %3 steps"),
                {resumed.step, resumed.scheduledSteps, parts.job.plan.totalSteps}});
    }
}

/// Where the run begins: at its checkpoint, or at the start.
Result<Position> startOf(const TrainingLoop::Parts& parts)
{
    const std::string& checkpoint = parts.run.settings->checkpoint.from;
    if (checkpoint.empty()) {
        return Position{};
    }
    LOCKSTEP_TRY_ASSIGN(const Position position, parts.checkpoints.restore());
    if (parts.context.rank.number == 0) {
        parts.recorder.log(wire::LogLevel::Info,
            {LS_TR("Messages", "resumes after step %1 from %2"), {position.step, verbatim(checkpoint)}});
        logResumption(parts);
        if (!position.isDataCompared) {
            parts.recorder.log(wire::LogLevel::Info,
                LS_TR("Messages",
                    "the checkpoint has no hash of its data set (it could not be read again): the data are not "
                    "compared"));
        }
    }
    return position;
}

/// What follows the steps: the log's last line, the hook's weights, the check against one process.
Result<void> afterSteps(const TrainingLoop::Parts& parts, const wire::Goodbye& goodbye, TrainingLoop& loop)
{
    Strategy& strategy = parts.strategy;
    if (const Text report = strategy.report(); parts.context.rank.number == 0 && !report.empty()) {
        parts.recorder.log(wire::LogLevel::Info, report);
    }
    if (parts.hooks.onEnd) {
        torch::Tensor weights;
        if (goodbye.outcome == wire::Outcome::Finished) {
            LOCKSTEP_TRY_ASSIGN(weights, strategy.wholeWeights());
        }
        parts.hooks.onEnd(weights.defined() ? weights : parts.job.parameters.weights());
    }
    const bool isOneProcess = strategy.description().empty();
    if (!isOneProcess && parts.run.settings->verify.isOn && goodbye.outcome != wire::Outcome::Failed) {
        LOCKSTEP_TRY(verifyRun(parts.run, parts.context, parts.job, strategy, loop.keptLosses(), parts.recorder));
    }
    loop.reportMemory();
    return {};
}

/// The run after the ranks have met; `done` is the number of steps so far, also after an exception.
wire::Goodbye carryOut(const TrainingLoop::Parts& parts, std::int64_t& done)
{
    if (auto begun = parts.strategy.begin(); !begun) {
        return failed(parts.context, 0, begun.error());
    }
    const auto start = startOf(parts);
    if (!start) {
        return refused(start.error());
    }
    if (start->step > 0) {
        if (auto restored = parts.strategy.afterRestore(); !restored) {
            return failed(parts.context, start->step, restored.error());
        }
    }
    TrainingLoop loop(parts, *start);
    try {
        wire::Goodbye goodbye = loop.run();
        if (auto ended = afterSteps(parts, goodbye, loop); !ended) {
            return failed(parts.context, goodbye.step, ended.error());
        }
        return goodbye;
    } catch (...) {
        done = loop.stepsDone();
        throw;
    }
}

Result<void> checkWorldSize(const experiment::RunSpec& run, const RankContext& context)
{
    LOCKSTEP_TRY_ASSIGN(const auto worldSize, experiment::worldSizeOf(run));
    return worldSize == context.worldSize
        ? Result<void>()
        : refusal(nameOf(&experiment::RankSettings::worldSize),
            LS_TR("Messages", "this rank was started as one of %1, the run takes %2"), {context.worldSize, worldSize});
}

} // namespace

wire::Goodbye train(
    const experiment::RunSpec& run, const RankContext& context, Recorder& recorder, const TrainingHooks& hooks)
{
    if (const auto fits = checkWorldSize(run, context); !fits) {
        return refused(fits.error());
    }
    std::int64_t done = 0;
    try {
        setThreads(static_cast<int>(run.settings->rank.threads));
        const auto placement = placeHere(run, hostsOf(context));
        if (!placement) {
            return refused(placement.error());
        }
        // Of ranks on GPUs the limit is that of the memory there: MemoryReport.
        MemoryAccount memory(placement->gpus.empty() ? plan::memoryLimitOf(run) : 0);
        const MemoryAccount::Use use(&memory);
        if (experiment::isSweep(run)) {
            return measureCollectives(run, context, *placement, recorder);
        }
        auto job = prepare(run, context, *placement);
        if (!job) {
            return refused(job.error());
        }
        if (hooks.onPrepared) {
            hooks.onPrepared(**job);
        }
        auto strategy = makeStrategy({run, context, *placement, **job, recorder});
        if (!strategy) {
            return failed(context, 0, strategy.error());
        }
        announce(run, context, **job, *placement, **strategy, recorder);
        const auto watch
            = watchPeers(context, *placement, recorder, [&ranks = **strategy] { return ranks.deadPeer(); });
        const auto clock = measureClock((*strategy)->network(), recorder);
        Checkpoints checkpoints(run, context, **job, **strategy, recorder);
        wire::Goodbye goodbye = carryOut({run, context, **job, **strategy, checkpoints, recorder, hooks}, done);
        const auto calls = (*strategy)->callRecord();
        if (calls && goodbye.outcome == wire::Outcome::Failed) {
            reportCalls(*calls, recorder);
        }
        return goodbye;
    } catch (const Error& error) {
        return failed(context, done, error);
    } catch (const std::bad_alloc&) {
        return failed(context, done, failure(LS_TR("Messages", "there is not enough memory for this run")));
    } catch (const MemoryLimitReached& reached) {
        return failed(context, done, reached.error());
    } catch (const c10::Error& error) {
        return failed(context, done, whatFailed(run, error));
    } catch (const std::system_error& error) {
        return failed(context, done, failureOf(systemFailure(error)));
    } catch (const std::exception& error) {
        return failed(context, done, failureOf(verbatim(firstLine(error.what()))));
    }
}

} // namespace lockstep::engine
