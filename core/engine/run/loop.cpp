#include "engine/run/loop.h"

#include "base/checkpoint_names.h"
#include "base/clock.h"
#include "engine/comm/link/link.h"
#include "engine/memory/memory_account.h"
#include "engine/model/gradient.h"
#include "engine/run/files/checkpoint.h"
#include "experiment/rank_fault.h"

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <utility>

namespace lockstep::engine {

namespace {

std::string percent(double fraction)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.2f %%", fraction * 100.0);
    return buffer.data();
}

} // namespace

TrainingLoop::TrainingLoop(const Parts& parts, const Position& start)
    : m_parts(parts)
    , m_at(start)
    , m_control(
          parts.recorder, parts.strategy.board(), parts.context.rank.number,
          [&strategy = parts.strategy](std::int64_t step) { return strategy.agreedStep(step); },
          [this](const wire::Control& control) { return apply(control); }, [this] { return takeBlock(); })
    , m_reports(parts.run, parts.context, parts.job, parts.strategy, parts.recorder,
          parts.hooks.marks ? parts.hooks.marks() : marksOf(parts.job.device))
    , m_batches(parts.job.data.train, *parts.job.partition.sampler, parts.job.device)
    , m_evaluateEvery(parts.run.settings->train.evaluateEvery)
    , m_straggler(parts.job.device, [this] { return m_reports.waitForDevice().isOk(); })
{
    m_parts.strategy.setClock(&m_reports.clock());
    m_reports.clock().setOnPass([this](std::int64_t beganNs) { m_straggler.stretch(beganNs); });
}

TrainingLoop::~TrainingLoop()
{
    m_parts.strategy.setClock(nullptr);
}

wire::Goodbye TrainingLoop::run()
{
    while (hasMoreSteps()) {
        if (auto ended = beforeStep()) {
            return *std::move(ended);
        }
        auto done = step();
        done = done ? afterStep() : done;
        if (!done) {
            return failedBy(done.error());
        }
    }
    return finish();
}

bool TrainingLoop::hasMoreSteps() const
{
    return m_at.step < m_parts.job.plan.totalSteps || m_control.takesTurns();
}

std::optional<wire::Goodbye> TrainingLoop::beforeStep()
{
    m_controlledFromNs = monotonicNs();
    const auto verdict = m_control.beforeStep(m_at.step + 1);
    const std::int64_t from = std::exchange(m_controlledFromNs, 0);
    m_waitedNs += m_beganNs != 0 && m_control.hasPaused() ? monotonicNs() - from : 0;
    if (verdict == RunControl::Verdict::PeerLost) {
        return wire::Goodbye::of(wire::Outcome::Stopped, m_at.step, LS_TR("Messages", "the workbench is gone"));
    }
    if (verdict == RunControl::Verdict::Stop) {
        if (areOwnStepsDone()) {
            return finish();
        }
        if (auto ended = endSteps(); !ended) {
            return failedBy(ended.error());
        }
        saveCheckpoint(LastCheckpoint::Yes);
        return wire::Goodbye{wire::Outcome::Stopped, m_at.step, ""};
    }
    if (m_control.hasPaused()) {
        m_reports.afterPause();
    }
    return std::nullopt;
}

Result<void> TrainingLoop::afterStep()
{
    if (areOwnStepsDone()) {
        return {};
    }
    if (isEvaluationDue()) {
        LOCKSTEP_TRY(evaluate());
        m_reports.afterPause();
    }
    if (m_parts.checkpoints.isDue(m_at.step)) {
        saveCheckpoint(LastCheckpoint::No);
    }
    return m_at.step == m_parts.job.plan.totalSteps && m_control.takesTurns() ? endOwnSteps() : Result<void>();
}

Result<void> TrainingLoop::endOwnSteps()
{
    LOCKSTEP_TRY(m_reports.flush());
    m_own = m_at;
    m_control.endOwnSteps(m_at.step);
    m_parts.recorder.setMuted(true);
    return {};
}

wire::Goodbye TrainingLoop::finish()
{
    auto ended = endSteps();
    m_parts.recorder.setMuted(false);
    if (!ended) {
        return failedBy(ended.error());
    }
    m_at = m_own.value_or(m_at);
    return {wire::Outcome::Finished, m_at.step, ""};
}

wire::Held TrainingLoop::takeBlock()
{
    // An error of the device shows again in the next step.
    return m_reports.flush() ? m_reports.takeBlock() : wire::Held{};
}

Result<void> TrainingLoop::endSteps()
{
    LOCKSTEP_TRY(m_reports.finish());
    return m_parts.strategy.finish();
}

bool TrainingLoop::apply(const wire::Control& control)
{
    if (control.command == wire::Command::Checkpoint && areOwnStepsDone()) {
        m_parts.recorder.log(
            wire::LogLevel::Info, LS_TR("Messages", "no checkpoint is written: the run's own steps are done"));
        return true;
    }
    return control.command == wire::Command::Checkpoint ? saveCheckpoint(LastCheckpoint::No)
                                                        : m_parts.strategy.apply(control);
}

bool TrainingLoop::saveCheckpoint(LastCheckpoint last)
{
    if (!m_parts.checkpoints.canSave() || m_at.step == 0) {
        return false;
    }
    const auto flushed = m_reports.flush();
    Position position = m_at;
    position.trainedNs = trainedNs();
    const auto saved = flushed ? m_parts.checkpoints.save(position) : Result<Checkpoints::Saved>(flushed.error());
    m_reports.afterPause();
    if (m_parts.context.rank.number == 0 || !saved) {
        const char* pattern = !saved ? CheckpointNotWritten
            : saved->isApart ? LS_TR("Messages", "checkpoint of step %1: %2 (each host has the files of its own ranks)")
                             : LS_TR("Messages", "checkpoint of step %1: %2");
        m_parts.recorder.log(saved ? wire::LogLevel::Info : wire::LogLevel::Warning,
            {pattern, {m_at.step, saved ? verbatim(saved->folder) : Text(saved.error())}});
    }
    const auto sent = saved ? m_parts.checkpoints.send(*saved, last) : Result<void>();
    if (!sent) {
        m_parts.recorder.log(wire::LogLevel::Warning, {CheckpointNotSent, {m_at.step, sent.error()}});
    }
    return true;
}

std::int64_t TrainingLoop::trainedNs() const
{
    if (m_at.trainedNs < 0 || m_beganNs == 0) {
        return m_at.trainedNs;
    }
    const std::int64_t now = m_controlledFromNs != 0 ? m_controlledFromNs : monotonicNs();
    return m_at.trainedNs + now - m_beganNs - m_waitedNs;
}

Result<void> TrainingLoop::step()
{
    m_beganNs = m_beganNs == 0 ? monotonicNs() : m_beganNs;
    Strategy& strategy = m_parts.strategy;
    const std::int64_t step = m_at.step + 1;
    m_straggler.beginStep(strategy.straggler());
    if (m_straggler.isSlow()) {
        LOCKSTEP_TRY(m_reports.flush()); // only a step that runs alone can be timed, and so stretched
    }
    if (const auto calls = strategy.callRecord()) {
        calls->setStep(m_parts.context.rank.number, step);
    }
    m_reports.beginStep();
    StepClock& clock = m_reports.clock();
    // Steps that only measure do the same work and leave the weights as they are.
    const double learningRate = areOwnStepsDone() ? 0.0 : learningRateAt(m_parts.run, step, m_parts.job.plan);
    const std::int64_t wholeBatch = m_parts.job.partition.sampler->countOfAll(step);
    if (strategy.needsFixedBatches()) {
        m_batches.keepPlace();
    }
    const auto afterLastBackward = [this] {
        m_reports.clock().endPass();
        m_straggler.delay();
    };
    torch::Tensor loss;
    std::int64_t samples = 0;
    {
        const MemoryScope scope(MemoryKind::Activations);
        const Batch batch = ownShare(m_batches.ofRank(step, strategy.dataRank()));
        samples = batch.size();
        LOCKSTEP_TRY_ASSIGN(loss, strategy.gradient({step, batch, wholeBatch, afterLastBackward}, clock));
    }
    if (m_parts.hooks.onGradient) {
        m_parts.hooks.onGradient(step, m_parts.job.parameters.gradients());
    }
    afterLastBackward();
    LOCKSTEP_TRY(strategy.update(step, learningRate, clock));
    m_at.step = step;
    m_at.samples += wholeBatch;
    m_reports.endStep(rowOfStep(learningRate, strategy.reportsSamples() ? samples : 0), loss);
    m_batches.prepare(step + 1, strategy.dataRank());
    return m_reports.reportDone();
}

Batch TrainingLoop::ownShare(const Batch& batch) const
{
    const double share = experiment::faultOf(m_parts.run, m_parts.context.rank.number).batchShare;
    if (share == 1.0 || batch.size() == 0) {
        return batch;
    }
    const auto kept = std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(batch.size())));
    return {batch.inputs.narrow(0, 0, kept), batch.labels.narrow(0, 0, kept)};
}

StepRow TrainingLoop::rowOfStep(double learningRate, std::int64_t samples)
{
    StepRow row{.step = m_at.step, .samples = m_at.samples, .batch = samples, .learningRate = learningRate};
    m_parts.strategy.count(row);
    if (row.bytesByKind) {
        row.bytesSent = std::accumulate(row.bytesByKind->begin(), row.bytesByKind->end(), std::int64_t{0});
    }
    return row;
}

bool TrainingLoop::isEvaluationDue() const
{
    const plan::StepPlan& plan = m_parts.job.plan;
    const bool isEpochEnd
        = m_at.step % plan.stepsPerEpoch == 0 && m_at.step / plan.stepsPerEpoch % m_evaluateEvery == 0;
    return m_parts.job.data.test.size() > 0 && (isEpochEnd || m_at.step == plan.totalSteps);
}

Result<void> TrainingLoop::evaluate()
{
    LOCKSTEP_TRY(m_reports.flush());
    const MemoryScope scope(MemoryKind::Activations);
    Strategy& strategy = m_parts.strategy;
    LOCKSTEP_TRY_ASSIGN(const auto where, strategy.prepareEvaluation(m_at.step));
    if (where == Strategy::Evaluates::Elsewhere) {
        return {};
    }
    const std::int64_t start = monotonicNs();
    LOCKSTEP_TRY_ASSIGN(const TestScore score, strategy.evaluate(m_parts.job.data.test));
    LOCKSTEP_TRY_ASSIGN(const TestScore onTrain, strategy.evaluate(m_parts.job.evaluatedTrain));
    const std::int64_t end = monotonicNs();
    strategy.endEvaluation();
    reportScore(score, onTrain.loss, start, end);
    return {};
}

void TrainingLoop::reportScore(const TestScore& score, double trainLoss, std::int64_t startNs, std::int64_t endNs)
{
    m_parts.recorder.span(m_at.step, Phase::Evaluate, startNs, endNs - startNs);
    if (m_parts.context.rank.number != 0) {
        return; // the score is the same on every rank
    }
    m_parts.recorder.record(wire::Evaluation{.step = m_at.step,
        .samples = m_at.samples,
        .endNs = endNs,
        .durationNs = endNs - startNs,
        .accuracy = score.accuracy,
        .loss = score.loss,
        .trainLoss = trainLoss});
    const LabelledInputs& test = m_parts.job.data.test;
    m_parts.recorder.log(wire::LogLevel::Info,
        {test.hasOneLabelEach() ? LS_TR("Messages", "step %1: test accuracy %2 of %3 images")
                                : LS_TR("Messages", "step %1: test accuracy %2 of %3 windows"),
            {m_at.step, verbatim(percent(score.accuracy)), test.size()}});
}

wire::Goodbye TrainingLoop::failedBy(const Error& error)
{
    Error cause = error;
    if (!m_reports.brokenStep()) {
        if (const auto flushed = m_reports.flush(); !flushed && m_reports.brokenStep()) {
            cause = flushed.error(); // a loss that is not a number is the cause of what followed
        }
    }
    const auto broken = m_reports.brokenStep();
    m_parts.recorder.setMuted(false);
    const Text text = ofRank(std::move(cause), m_parts.context.rank);
    if (areOwnStepsDone()) {
        m_at = *m_own;
        return wire::Goodbye::of(wire::Outcome::Failed, m_at.step,
            {LS_TR("Messages", "%1, while the run was measured after its last step"), {text}});
    }
    m_at.step = broken.value_or(m_at.step);
    return wire::Goodbye::of(wire::Outcome::Failed, m_at.step,
        broken ? text : Text(LS_TR("Messages", "%1, at step %2"), {text, m_at.step + 1}));
}

} // namespace lockstep::engine
