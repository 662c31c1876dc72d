#include "engine/run/loop.h"

#include "base/clock.h"
#include "engine/memory/memory_account.h"
#include "engine/run/checkpoint.h"
#include "engine/model/evaluation.h"
#include "engine/model/gradient.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

namespace lockstep::engine {

namespace {

/// Steps that a device may be behind the program: enough that it never waits for the next one, few enough that what is
/// drawn and what is asked for are not late.
constexpr std::size_t MostPending = 2;
constexpr std::int64_t StepsBeforeGraph = 3;
/// The number is there once the device's work so far is done.
torch::Tensor copyToHostLater(const torch::Tensor& number)
{
    if (number.device().is_cpu()) {
        return number.clone();
    }
    torch::Tensor copy = torch::empty({}, number.options().device(torch::kCPU).pinned_memory(true).requires_grad(false));
    copy.copy_(number, /*non_blocking=*/true);
    return copy;
}

/// What a job keeps on its device.
LastingOnDevice lastingOf(Job& job)
{
    LastingOnDevice lasting{.device = job.device};
    const auto add = [&](MemoryKind kind, const torch::Tensor& tensor) {
        if (!tensor.defined() || tensor.device().is_cpu()) {
            return;
        }
        const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
        of(lasting.bytes, kind) += bytes;
        // What the ranks share was not taken from LibTorch.
        lasting.foreignBytes += tensor.storage().allocator() == nullptr ? bytes : 0;
    };
    add(MemoryKind::Parameters, job.parameters.weights());
    add(MemoryKind::Gradients, job.parameters.gradients());
    for (const torch::Tensor& state : job.optimizer->state()) {
        add(MemoryKind::Optimizer, state);
    }
    for (const LabelledImages& part : {job.data.train, job.data.test}) {
        add(MemoryKind::Data, part.images);
        add(MemoryKind::Data, part.labels);
    }
    return lasting;
}

/// How many steps are to be verified.
std::int64_t stepsToVerify(const experiment::RunSpec& run)
{
    if (!run.boolean("verify")) {
        return 0;
    }
    const std::int64_t steps = run.integer("verify.steps");
    return steps == 0 ? std::numeric_limits<std::int64_t>::max() : steps;
}

} // namespace

TrainingLoop::TrainingLoop(const experiment::RunSpec& run, Job& job, const Surroundings& surroundings)
    : m_run(run)
    , m_job(job)
    , m_around(surroundings)
    , m_control(
          surroundings.recorder, surroundings.board, surroundings.context.rank.number,
          [around = surroundings](std::int64_t step) {
              // No part of a net can go on to the next step before rank 0's has begun this one.
              return around.modelParallel != nullptr ? step + 1
                  : around.ranks == nullptr          ? step
                  : around.server != nullptr         ? around.group->board->furthestStep() + 1
                                                     : around.ranks->agreedStep(step);
          },
          [this](const wire::Control& control) { return apply(control); })
    , m_marks(surroundings.marks ? surroundings.marks() : marksOf(job.device))
    , m_clock(m_marks.get())
    , m_memory(surroundings.recorder, plan::memoryOf(run, surroundings.context.rank.number), lastingOf(job))
    , m_batches(job.data.train, *job.dealt.dealing, job.device)
    , m_logEvery(run.integer("log.every"))
    , m_evaluateEvery(run.integer("train.evaluate_every"))
    , m_clip(run.real("optimizer.clip"))
    , m_timeoutNs(static_cast<std::int64_t>(run.real("comm.timeout_s") * 1e9))
    , m_microBatches(run.integer("train.accumulate"))
    , m_step(surroundings.stepsDone)
    , m_samples(surroundings.samplesDone)
    , m_recordsGraphs(job.data.train.images.is_cuda() && run.boolean("train.graphs") && surroundings.modelParallel == nullptr
          // The server's threads work on the same stream, also while it would be recorded.
          && surroundings.server == nullptr
          && (surroundings.ranks == nullptr || !surroundings.ranks->sendsDuringBackward()) && m_microBatches == 1
          && !job.optimizer->wantsWholeBatch())
    , m_keptSteps(stepsToVerify(run))
{
    if (surroundings.ranks != nullptr && surroundings.server == nullptr && run.text("measure.mode") == "measure") {
        m_measureCost.emplace();
    }
}

wire::Goodbye TrainingLoop::run()
{
    while (m_step < m_job.plan.totalSteps) {
        switch (m_control.beforeStep(m_step + 1)) {
        case RunControl::Verdict::Go:
            break;
        case RunControl::Verdict::Stop:
            if (auto finished = endSteps(); !finished) {
                return failedBy(finished.error());
            }
            saveCheckpoint();
            return {wire::Outcome::Stopped, m_step, ""};
        case RunControl::Verdict::PeerLost:
            return {wire::Outcome::Stopped, m_step, "the workbench is gone"};
        }
        m_startsAnew = m_startsAnew || m_control.hasPaused();
        if (auto done = step(); !done) {
            return failedBy(done.error());
        }
        if (isEvaluationDue()) {
            if (auto evaluated = evaluateTestSet(); !evaluated) {
                return failedBy(evaluated.error());
            }
            m_startsAnew = true;
        }
        if (m_around.checkpoints != nullptr && m_around.checkpoints->isDue(m_step)) {
            saveCheckpoint();
        }
    }
    if (auto finished = endSteps(); !finished) {
        return failedBy(finished.error());
    }
    return {wire::Outcome::Finished, m_step, ""};
}

Result<void> TrainingLoop::endSteps()
{
    auto told = settle(0);
    if (m_measureCost && m_around.context.rank.number == 0) {
        m_around.recorder.log(wire::LogLevel::Info, m_measureCost->report());
    }
    return told ? finishWithOthers() : told;
}

bool TrainingLoop::apply(const wire::Control& control)
{
    if (control.command == wire::Command::Checkpoint) {
        return saveCheckpoint();
    }
    RankGroup* group = m_around.group;
    const bool isLink = control.command == wire::Command::SetLink || control.command == wire::Command::SetLinkBandwidth;
    // Where ranks share a net, none is slowed down: that would be seen in all of them.
    if (m_around.modelParallel != nullptr && (!isLink || !m_around.modelParallel->takesLinks())) {
        return false;
    }
    if (group == nullptr || !group->bottleneck.apply(control)) {
        return false;
    }
    group->applyLinks();
    if (m_around.modelParallel != nullptr) {
        m_around.modelParallel->applyLinks();
    }
    if (m_around.server != nullptr) {
        m_around.server->applyLinks();
    }
    return true;
}

bool TrainingLoop::saveCheckpoint()
{
    if (m_around.checkpoints == nullptr || !m_around.checkpoints->canSave() || m_step == 0) {
        return false;
    }
    const auto told = settle(0);
    const auto saved = told ? m_around.checkpoints->save({m_step, m_samples}) : Result<std::string>(told.error());
    m_startsAnew = true;
    if (m_around.context.rank.number == 0 || !saved) {
        m_around.recorder.log(saved ? wire::LogLevel::Info : wire::LogLevel::Warning,
            saved ? "checkpoint of step " + std::to_string(m_step) + ": " + *saved
                  : "the checkpoint of step " + std::to_string(m_step) + " could not be written: "
                    + saved.error().message);
    }
    return true;
}

Result<void> TrainingLoop::step()
{
    DataParallel* ranks = m_around.ranks;
    torch::Tensor& gradients = m_job.parameters.gradients();
    const bool isSlowed = ranks != nullptr && ranks->group().bottleneck.isSlowed(m_around.context.rank.number);
    if (isSlowed) {
        // What a step takes must be known to be stretched: none before it may still be under way.
        if (auto told = settle(0); !told) {
            return told;
        }
    }
    m_clock.start();
    m_clock.begin(Phase::Data);
    m_heldNs = 0;
    const double learningRate = learningRateAt(m_run, m_step + 1, m_job.plan);
    m_memory.beginStep();
    const auto lossTensor = gradient();
    if (!lossTensor) {
        return lossTensor.error();
    }
    if (m_around.onGradient) {
        m_around.onGradient(m_step + 1, gradients);
    }
    if (isSlowed) {
        if (auto slowed = slowDown(); !slowed) {
            return slowed;
        }
    }
    if (auto updated = update(learningRate); !updated) {
        return updated.error();
    }
    torch::Tensor loss = m_marks != nullptr ? copyToHostLater(*lossTensor) : *lossTensor;
    m_clock.stop();
    ++m_step;
    m_samples += m_wholeBatchSize;
    m_batches.prepare(m_step + 1, m_around.modelParallel != nullptr ? m_around.modelParallel->dataRank()
                                                                    : m_around.context.rank.number);
    m_pending.push_back({rowOfStep(learningRate), m_clock.take(), std::move(loss), std::exchange(m_startsAnew, false)});
    return settle(m_marks != nullptr ? MostPending : 0);
}

Result<void> TrainingLoop::update(double learningRate)
{
    if (m_around.modelParallel != nullptr) {
        return m_around.modelParallel->update(learningRate, m_clock);
    }
    return m_around.server != nullptr ? updateByServer() : updateHere(learningRate);
}

Result<void> TrainingLoop::updateHere(double learningRate)
{
    DataParallel* ranks = m_around.ranks;
    torch::Tensor gradients = m_job.parameters.gradients();
    if (ranks != nullptr && ranks->areGradientsDue()) {
        if (auto apart = beginCommunication(); !apart) {
            return apart;
        }
        auto aggregated = ranks->aggregateGradients(gradients);
        if (!aggregated) {
            return aggregated.error();
        }
        gradients = std::move(*aggregated);
    }
    m_clock.begin(Phase::Optimize);
    if ((m_clip > 0.0 || m_job.scaler) && !gradients.is_alias_of(m_job.parameters.gradients())) {
        gradients = m_job.parameters.gradients().copy_(gradients); // the others read what is shared
    }
    if (m_clip > 0.0 || m_job.scaler) {
        // Their numbers are read here: not by a call that would wait for a dead rank for ever.
        if (auto done = waitForDevice(); !done) {
            return done;
        }
    }
    // Every rank that has the same gradients comes to the same answer.
    const bool isGood = !m_job.scaler || m_job.scaler->unscale(gradients);
    if (isGood && m_clip > 0.0) {
        clipGradients({&gradients, 1}, m_clip);
    }
    if (isGood) {
        m_job.optimizer->step({&gradients, 1}, learningRate);
    }
    if (ranks == nullptr || !ranks->areWeightsDue(m_step + 1)) {
        return {};
    }
    if (auto apart = beginCommunication(); !apart) {
        return apart;
    }
    return ranks->aggregateWeights(m_job.parameters.weights());
}

Result<void> TrainingLoop::beginCommunication()
{
    if (m_measureCost && MeasureCost::isMeasured(m_step + 1)) {
        m_clock.begin(Phase::Wait);
        auto met = waitForDevice();
        met = met ? m_around.group->communicator->barrier() : met;
        if (!met) {
            return met;
        }
    }
    m_clock.begin(Phase::Communicate);
    m_clock.setArrival();
    return {};
}

Result<void> TrainingLoop::updateByServer()
{
    m_clock.begin(Phase::Communicate);
    torch::Tensor& gradients = m_job.parameters.gradients();
    const auto held = m_around.server->exchange(m_step + 1, gradients, m_job.parameters.weights());
    m_heldNs = held ? *held : 0;
    return held ? Result<void>() : Result<void>(held.error());
}

Result<torch::Tensor> TrainingLoop::gradientOfPart()
{
    ModelParallel& ranks = *m_around.modelParallel;
    const Batch batch = m_batches.ofRank(m_step + 1, ranks.dataRank());
    // Of those that share a batch one rank tells of its samples, that which has their loss.
    m_batchSize = ranks.hasLoss() ? batch.size() : 0;
    return ranks.gradient(batch, m_wholeBatchSize, m_clock);
}

Result<torch::Tensor> TrainingLoop::gradient()
{
    const MemoryScope scope(MemoryKind::Activations);
    plan::Dealing& dealing = *m_job.dealt.dealing;
    m_wholeBatchSize = dealing.countOfAll(m_step + 1);
    if (m_around.modelParallel != nullptr) {
        return gradientOfPart();
    }
    m_batchSize = dealing.count(m_step + 1, m_around.context.rank.number);
    if (m_around.ranks != nullptr) {
        m_around.ranks->beginStep(m_step + 1, dealing);
    }
    if (m_batchSize == 0) {
        beginLastBackward();
        m_job.parameters.zeroGradients();
        return torch::zeros({}, torch::kDouble);
    }
    return m_job.optimizer->wantsWholeBatch() ? gradientOfWholeShare() : gradientOfBatch();
}

double TrainingLoop::gradientScale() const
{
    if (m_around.server != nullptr) {
        // Each rank counts by its share, so that all of a step's gradients together are as large as the whole batch's.
        return m_run.text("aggregation.rule") == "sum"
            ? 1.0
            : static_cast<double>(m_batchSize) / static_cast<double>(m_wholeBatchSize);
    }
    const double scale
        = m_around.ranks != nullptr && m_around.ranks->areGradientsDue() ? m_around.ranks->gradientScale() : 1.0;
    return m_job.scaler ? scale * m_job.scaler->scale() : scale;
}

torch::Tensor TrainingLoop::gradientOfBatch()
{
    const Batch batch = m_batches.ofRank(m_step + 1, m_around.context.rank.number);
    m_clock.begin(Phase::Backward); // the gradient is cleared because backward adds to it
    if (isRecordable(batch)) {
        if (const torch::Tensor loss = gradientByGraph(batch); loss.defined()) {
            return loss;
        }
    }
    m_job.parameters.clearGradients();
    if (m_microBatches > 1) {
        const std::int64_t part = plan::microBatchSize(batch.size(), m_microBatches);
        return addGradientInChunks(
            m_job.net, {batch.images, batch.labels}, part, m_clock, gradientScale(), [this] { beginLastBackward(); });
    }
    beginLastBackward();
    return addGradient(m_job.net, batch, m_clock, gradientScale());
}

bool TrainingLoop::isRecordable(const Batch& batch)
{
    if (!m_recordsGraphs) {
        return false;
    }
    m_batches.keepPlace();
    if (m_graph && batch.size() == m_graphBatch && batch.images.data_ptr() != m_graphImages) {
        m_graph.reset(); // a larger batch has come in between, and all batches have moved
    }
    if (m_graph) {
        return batch.size() == m_graphBatch;
    }
    // First as it comes: that is when libraries choose their kernels and take their memory.
    m_stepsBeforeGraph = batch.size() == m_graphBatch ? m_stepsBeforeGraph + 1 : 0;
    m_graphBatch = batch.size();
    return m_stepsBeforeGraph > StepsBeforeGraph;
}

torch::Tensor TrainingLoop::gradientByGraph(const Batch& batch)
{
    if (!m_graph) {
        const std::string what = "rank " + std::to_string(m_around.context.rank.number)
            + ": forward and backward of batches of " + std::to_string(batch.size());
        auto recorded = recordGradient(m_job.net, m_job.parameters, batch);
        if (!recorded) {
            m_recordsGraphs = false;
            m_around.recorder.log(wire::LogLevel::Warning,
                what + " cannot be recorded as CUDA graphs, and are launched kernel by kernel: " + recorded.error().message);
            return {};
        }
        m_graph = std::move(*recorded);
        m_graphImages = batch.images.data_ptr();
        m_around.recorder.log(wire::LogLevel::Info, what + " are recorded as CUDA graphs");
    }
    m_graph->setScale(gradientScale());
    m_clock.begin(Phase::Forward);
    m_graph->forward();
    m_clock.begin(Phase::Backward);
    m_graph->backward();
    return m_graph->loss();
}

torch::Tensor TrainingLoop::gradientOfWholeShare()
{
    const Batch batch = m_batches.ofRank(m_step + 1, m_around.context.rank.number);
    m_clock.begin(Phase::Backward);
    m_job.parameters.clearGradients();
    return addGradientInChunks(
        m_job.net, {batch.images, batch.labels}, ChunkSamples, m_clock, gradientScale(), [this] { beginLastBackward(); });
}

void TrainingLoop::beginLastBackward()
{
    if (m_around.ranks != nullptr) {
        m_around.ranks->beginLastBackward();
    }
}

Result<void> TrainingLoop::slowDown()
{
    const Bottleneck& bottleneck = m_around.ranks->group().bottleneck;
    const int rank = m_around.context.rank.number;
    if (auto done = waitForDevice(); !done) {
        return done;
    }
    const std::int64_t now = monotonicNs();
    const auto extra
        = static_cast<std::int64_t>(static_cast<double>(now - m_clock.hostStartNs()) * (bottleneck.factor(rank) - 1.0));
    const torch::NoGradGuard noGrad;
    const std::int64_t count = std::min<std::int64_t>(m_batchSize, ChunkSamples);
    while (count > 0 && monotonicNs() < now + extra) {
        // Arithmetic of the same kind, so that a slow rank needs its core as a slow machine would.
        static_cast<void>(m_job.net.forward(m_job.data.train.images.narrow(0, 0, count).to(m_job.device)));
        if (auto done = waitForDevice(); !done) {
            return done;
        }
    }
    if (const auto delay = static_cast<std::int64_t>(bottleneck.delayMs(rank) * 1e6); delay > 0) {
        comm::sleepUntilNs(monotonicNs() + delay);
    }
    return {};
}

Result<void> TrainingLoop::finishWithOthers()
{
    if (m_around.modelParallel != nullptr) {
        return m_around.modelParallel->finish();
    }
    return m_around.server != nullptr && !std::exchange(m_hasFinishedWithServer, true) ? m_around.server->finish()
                                                                                      : Result<void>();
}

} // namespace lockstep::engine
