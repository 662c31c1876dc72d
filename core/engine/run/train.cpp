#include "engine/run/train.h"

#include "engine/memory/memory_account.h"
#include "engine/ranks/cores.h"
#include "engine/ranks/device.h"
#include "engine/run/checkpoint.h"
#include "engine/run/host_clock.h"
#include "engine/run/loop.h"
#include "engine/run/measure.h"
#include "engine/run/stuck_rank.h"
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
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

wire::Goodbye refused(const Error& error)
{
    return {wire::Outcome::Refused, 0, error.message};
}

wire::Goodbye failed(const RankContext& context, std::int64_t done, const Error& cause)
{
    return {
        wire::Outcome::Failed, done, ofRank(cause, context.rank).text() + ", after " + std::to_string(done) + " steps"};
}

std::string firstLine(const char* text)
{
    const std::string whole(text);
    return whole.substr(0, whole.find('\n'));
}

/// On a GPU LibTorch's allocator ends a run that goes far beyond its limit within a step.
std::string whatFailed(const experiment::RunSpec& run, const c10::Error& error)
{
    const std::string text = firstLine(error.what_without_backtrace());
    const bool isLimit = plan::memoryLimitOf(run) > 0 && text.find("out of memory") != std::string::npos;
    return (isLimit ? "rank.memory_mb: " : "") + text;
}

/// The effect of `train.recompute`; empty if nothing is recomputed.
std::string recomputedText(const experiment::RunSpec& run)
{
    if (is(run, experiment::Recompute::Stage)) {
        return "activation recomputation: each stage keeps only its inputs and runs forward again in backward";
    }
    if (is(run, experiment::Recompute::None)) {
        return {};
    }
    return fmt::format("activation recomputation: {} segments of layers, {:.0f} % of forward runs again in backward",
        plan::segmentsOf(run).size(), 100.0 * plan::recomputedShare(run));
}

void announce(const experiment::RunSpec& run, const RankContext& context, const Job& job,
    const plan::Placement& placement, const Strategy& strategy, Recorder& recorder)
{
    const std::string communication = strategy.description();
    recorder.prepared({.device = placement.device(context.localRank),
        .trainSamples = job.data.train.size(),
        .testSamples = job.data.test.size(),
        .totalSteps = job.plan.totalSteps,
        .stepsPerEpoch = job.plan.stepsPerEpoch,
        .parameterCount = job.net.parameterCount(),
        .dataNs = job.dataNs,
        .dataset = job.data.description,
        .communication = communication,
        .cores = coresAtStart()});
    if (!job.partition.shares.empty()) {
        const plan::ShareSummary& mine = job.partition.shares[static_cast<std::size_t>(context.rank.number)];
        recorder.share({mine.samples, mine.shared, job.partition.redraws, mine.labels});
    }
    if (context.rank.number != 0) {
        return; // one rank reports for all
    }
    if (job.partition.redraws > 0) {
        recorder.log(wire::LogLevel::Info,
            "the partition was redrawn " + std::to_string(job.partition.redraws)
                + " times, until every rank had enough samples");
    }
    recorder.log(wire::LogLevel::Info,
        job.data.description + "; " + run.text("net.name") + " with " + std::to_string(job.net.parameterCount())
            + " weights on " + placement.devices() + "; " + std::to_string(job.plan.totalSteps) + " steps"
            + (communication.empty() ? "" : "; " + std::to_string(context.worldSize) + " ranks, " + communication));
    if (const std::string recomputed = recomputedText(run); !recomputed.empty()) {
        recorder.log(wire::LogLevel::Info, recomputed);
    }
    for (const std::string& warning : warningsHere(run, context, placement, strategy.network().get())) {
        recorder.log(wire::LogLevel::Warning, warning);
    }
}

/// Losses over all ranks, from each rank's own; then compares. Rank 0 reports.
Result<void> verifyRun(const experiment::RunSpec& run, const RankContext& context, const Job& job, Strategy& strategy,
    std::vector<double>& sums, Recorder& recorder)
{
    LOCKSTEP_TRY(strategy.addUp(sums));
    if (context.rank.number != 0 || sums.empty()) {
        return {};
    }
    std::vector<double> losses;
    for (std::size_t i = 0; i < sums.size(); i += 2) {
        losses.push_back(sums[i] / sums[i + 1]);
    }
    LOCKSTEP_TRY_ASSIGN(const auto result, verify(run, job, losses));
    recorder.verification(result);
    std::string line = fmt::format("verified: the loss is that of one process to within {:.2g} over {} steps",
        result.maxRelativeDifference, result.steps);
    if (!result.drifts.empty()) {
        line += fmt::format(
            "; single processes that sum in other orders drift apart by {:.2g}", fmt::join(result.drifts, ", "));
    }
    recorder.log(wire::LogLevel::Info, line);
    return {};
}

/// Where the run begins: at its checkpoint, or at the start.
Result<Position> startOf(const TrainingLoop::Parts& parts)
{
    const std::string& checkpoint = parts.run.text("checkpoint.from");
    if (checkpoint.empty()) {
        return Position{};
    }
    LOCKSTEP_TRY_ASSIGN(const Position position, parts.checkpoints.restore());
    if (parts.context.rank.number == 0) {
        parts.recorder.log(
            wire::LogLevel::Info, "resumes after step " + std::to_string(position.step) + " from " + checkpoint);
        if (!position.isDataCompared) {
            parts.recorder.log(wire::LogLevel::Info,
                "the checkpoint has no hash of its data set (an earlier version wrote it): the data are not compared");
        }
    }
    return position;
}

/// What follows the steps: the log's last line, the hook's weights, the check against one process.
Result<void> afterSteps(const TrainingLoop::Parts& parts, const wire::Goodbye& goodbye, TrainingLoop& loop)
{
    Strategy& strategy = parts.strategy;
    if (const std::string report = strategy.report(); parts.context.rank.number == 0 && !report.empty()) {
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
    if (!isOneProcess && parts.run.boolean("verify") && goodbye.outcome != wire::Outcome::Failed) {
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

} // namespace

wire::Goodbye train(
    const experiment::RunSpec& run, const RankContext& context, Recorder& recorder, const TrainingHooks& hooks)
{
    const auto worldSize = experiment::worldSizeOf(run);
    if (!worldSize) {
        return refused(worldSize.error());
    }
    if (*worldSize != context.worldSize) {
        return refused({"world_size: this rank was started as one of " + std::to_string(context.worldSize)
            + ", the run takes " + std::to_string(*worldSize)});
    }
    std::int64_t done = 0;
    try {
        setThreads(static_cast<int>(run.integer("rank.threads")));
        if (context.worldSize > 1 && run.boolean("rank.bind")) {
            bindToCores(context.rank.number, context.worldSize, static_cast<int>(run.integer("rank.threads")));
        }
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
    } catch (const std::bad_alloc&) {
        return failed(context, done, Error{"there is not enough memory for this run"});
    } catch (const c10::Error& error) {
        return failed(context, done, Error{whatFailed(run, error)});
    } catch (const std::exception& error) {
        return failed(context, done, Error{firstLine(error.what())});
    }
}

} // namespace lockstep::engine
