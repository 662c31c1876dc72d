#include "engine/run/train.h"

#include "base/clock.h"
#include "engine/run/measure.h"
#include "engine/memory/memory_account.h"
#include "engine/ranks/cores.h"
#include "engine/strategy/registry.h"
#include "engine/run/checkpoint.h"
#include "engine/ranks/device.h"
#include "engine/run/loop.h"
#include "engine/run/verify.h"
#include "plan/grid.h"

#include <torch/torch.h>

#include <array>
#include <cstdio>
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

wire::Goodbye failed(const RankContext& context, std::int64_t done, const std::string& cause)
{
    return {wire::Outcome::Failed, done,
        "rank " + std::to_string(context.rank.number) + ": " + cause + ", after " + std::to_string(done) + " steps"};
}

std::string firstLine(const char* text)
{
    const std::string whole(text);
    return whole.substr(0, whole.find('\n'));
}

/// `communication`: how the ranks speak to each other; empty for one.
void announce(const experiment::RunSpec& run, const RankContext& context, const Job& job,
    const plan::Placement& placement, const std::string& communication, Recorder& recorder)
{
    recorder.prepared({.device = job.device.str(),
        .trainSamples = job.data.train.size(),
        .testSamples = job.data.test.size(),
        .totalSteps = job.plan.totalSteps,
        .stepsPerEpoch = job.plan.stepsPerEpoch,
        .parameterCount = job.net.parameterCount(),
        .dataNs = job.dataNs,
        .dataset = job.data.description,
        .communication = communication,
        .cores = coresAtStart()});
    if (!job.dealt.shares.empty()) {
        const plan::ShareSummary& mine = job.dealt.shares[static_cast<std::size_t>(context.rank.number)];
        recorder.share({mine.samples, mine.shared, job.dealt.redraws, mine.labels});
    }
    if (context.rank.number != 0) {
        return; // one rank tells for all
    }
    if (job.dealt.redraws > 0) {
        recorder.log(wire::LogLevel::Info,
            "the partition was redrawn " + std::to_string(job.dealt.redraws)
                + " times, until every rank had enough samples");
    }
    recorder.log(wire::LogLevel::Info,
        job.data.description + "; " + run.text("net.name") + " with " + std::to_string(job.net.parameterCount())
            + " weights on " + placement.devices() + "; " + std::to_string(job.plan.totalSteps) + " steps"
            + (communication.empty() ? "" : "; " + std::to_string(context.worldSize) + " ranks, " + communication));
    for (const std::string& warning : placement.warnings) {
        recorder.log(wire::LogLevel::Warning, warning);
    }
}

/// Losses over all ranks, from each rank's own; then compares. Rank 0 tells.
Result<void> verifyRun(const experiment::RunSpec& run, const RankContext& context, const Job& job, TrainingLoop& loop,
    const RankGroup& group, Recorder& recorder)
{
    std::vector<double>& sums = loop.keptLosses();
    if (auto added = group.addUp(sums); !added) {
        return added;
    }
    if (context.rank.number != 0 || sums.empty()) {
        return {};
    }
    std::vector<double> losses;
    for (std::size_t i = 0; i < sums.size(); i += 2) {
        losses.push_back(sums[i] / sums[i + 1]);
    }
    const auto result = verify(run, job, losses);
    if (!result) {
        return result.error();
    }
    recorder.verification(*result);
    std::array<char, 64> difference{};
    std::snprintf(difference.data(), difference.size(), "%.2g", result->maxRelativeDifference);
    recorder.log(wire::LogLevel::Info,
        std::string("verified: the loss is that of one process to within ") + difference.data() + " over "
            + std::to_string(result->steps) + " steps");
    return {};
}

/// The run itself, once everything is there; `done` is told how far it came.
wire::Goodbye carryOut(const experiment::RunSpec& run, Job& job, TrainingLoop::Surroundings around,
    const TrainingHooks& hooks, std::int64_t& done)
{
    std::unique_ptr<AsyncServer> server;
    if (around.ranks != nullptr) {
        if (auto shared = around.ranks->shareWeights(job.parameters.weights()); !shared) {
            return failed(around.context, 0, shared.error().message);
        }
    }
    if (around.ranks != nullptr) {
        const torch::Tensor& gradients = job.parameters.gradients();
        const auto memory = around.ranks->gradientMemory(gradients);
        if (!memory) {
            return failed(around.context, 0, memory.error().message);
        }
        if (memory->defined()) {
            job.parameters.moveGradients(*memory);
        }
        around.ranks->watch(job.parameters);
    }
    if (around.ranks != nullptr && run.text("aggregation.algorithm") == "parameter_server_async") {
        auto started = AsyncServer::start(run, around.ranks->group(), job.plan, job.parameters.weights(), job.stream.get());
        if (!started) {
            return failed(around.context, 0, started.error().message);
        }
        server = std::move(*started);
        around.server = server.get();
    }
    around.onGradient = hooks.onGradient;
    around.marks = hooks.marks;
    Checkpoints checkpoints(run, around.context, job, around.group, around.ranks);
    if (around.server == nullptr) {
        around.checkpoints = &checkpoints;
    }
    if (!run.text("checkpoint.from").empty()) {
        const auto position = checkpoints.restore();
        if (!position) {
            return refused(position.error());
        }
        const auto restored = around.modelParallel != nullptr ? around.modelParallel->afterRestore() : Result<void>();
        if (!restored) {
            return failed(around.context, position->step, restored.error().message);
        }
        around.stepsDone = position->step;
        around.samplesDone = position->samples;
        if (around.context.rank.number == 0) {
            around.recorder.log(wire::LogLevel::Info,
                "resumes after step " + std::to_string(position->step) + " from " + run.text("checkpoint.from"));
        }
    }
    TrainingLoop loop(run, job, around);
    try {
        wire::Goodbye goodbye = loop.run();
        if (around.ranks != nullptr && around.context.rank.number == 0 && !around.ranks->formReport().empty()) {
            around.recorder.log(wire::LogLevel::Info, around.ranks->formReport());
        }
        if (hooks.onEnd) {
            const bool isTogether = around.modelParallel != nullptr && goodbye.outcome == wire::Outcome::Finished;
            const auto whole = isTogether ? around.modelParallel->wholeWeights() : Result<torch::Tensor>(torch::Tensor());
            if (!whole) {
                return failed(around.context, goodbye.step, whole.error().message);
            }
            hooks.onEnd(whole->defined() ? *whole : job.parameters.weights());
        }
        if (around.group != nullptr && run.boolean("verify") && goodbye.outcome != wire::Outcome::Failed) {
            if (auto verified = verifyRun(run, around.context, job, loop, *around.group, around.recorder); !verified) {
                return failed(around.context, goodbye.step, verified.error().message);
            }
        }
        loop.tellMemory();
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
    MemoryAccount memory(static_cast<std::int64_t>(run.real("rank.memory_mb") * 1e6));
    const MemoryAccount::Use use(&memory);
    try {
        setThreads(static_cast<int>(run.integer("rank.threads")));
        if (context.worldSize > 1 && run.boolean("rank.bind")) {
            bindToCores(context.rank.number, context.worldSize, static_cast<int>(run.integer("rank.threads")));
        }
        const auto placement = placeHere(run);
        if (!placement) {
            return refused(placement.error());
        }
        if (run.text("strategy.name") == "collectives") {
            return measureCollectives(run, context, *placement, recorder);
        }
        auto job = prepare(run, context, *placement);
        if (!job) {
            return refused(job.error());
        }
        if (run.text("strategy.name") == "single") {
            announce(run, context, **job, *placement, {}, recorder);
            const auto board = ControlBoard::alone();
            return board ? carryOut(run, **job, {.context = context, .recorder = recorder, .board = **board}, hooks, done)
                         : failed(context, 0, board.error().message);
        }
        const auto group = joinRanks(run, context, *placement);
        if (!group) {
            return failed(context, 0, group.error().message);
        }
        TrainingLoop::Surroundings around{
            .context = context, .recorder = recorder, .board = *(*group)->board, .group = group->get()};
        if (plan::dividesModel(run)) {
            const auto model = makeModelParallel(run, **group, **job);
            if (!model) {
                return failed(context, 0, model.error().message);
            }
            around.modelParallel = model->get();
            announce(run, context, **job, *placement, (*model)->description(), recorder);
            return carryOut(run, **job, around, hooks, done);
        }
        DataParallel ranks(run, (*job)->plan, **group, recorder);
        around.ranks = &ranks;
        announce(run, context, **job, *placement, ranks.description(), recorder);
        return carryOut(run, **job, around, hooks, done);
    } catch (const std::bad_alloc&) {
        return failed(context, done, "there is not enough memory for this run");
    } catch (const c10::Error& error) {
        return failed(context, done, firstLine(error.what_without_backtrace()));
    } catch (const std::exception& error) {
        return failed(context, done, firstLine(error.what()));
    }
}

} // namespace lockstep::engine
