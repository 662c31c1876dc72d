#include "engine/train/loop.h"

#include "base/clock.h"
#include "engine/train/evaluation.h"
#include "engine/train/gradient.h"

#include <torch/torch.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace lockstep::engine {

namespace {

std::string percent(double fraction)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.2f %%", fraction * 100.0);
    return buffer.data();
}

} // namespace

TrainingLoop::TrainingLoop(const experiment::RunSpec& run, const RankContext& context, Job& job, Recorder& recorder)
    : m_run(run)
    , m_context(context)
    , m_job(job)
    , m_recorder(recorder)
    , m_control(recorder)
    , m_clock(job.device)
    , m_logEvery(run.integer("log.every"))
    , m_evaluateEvery(run.integer("train.evaluate_every"))
    , m_clip(run.real("optimizer.clip"))
{
    if (!job.optimizer->wantsWholeBatch()) {
        const Seed seed = seedFor(SeedUse::Batches, static_cast<std::uint64_t>(run.integer("train.seed")));
        m_batches.emplace(job.data.train, job.plan.batch, seed);
    }
}

wire::Goodbye TrainingLoop::run()
{
    while (m_step < m_job.plan.totalSteps) {
        switch (m_control.beforeStep(m_step + 1)) {
        case RunControl::Verdict::Go:
            break;
        case RunControl::Verdict::Stop:
            return {wire::Outcome::Stopped, m_step, ""};
        case RunControl::Verdict::PeerLost:
            return {wire::Outcome::Stopped, m_step, "the workbench has gone"};
        }
        if (m_control.hasPaused()) {
            m_previousEndNs = 0;
        }
        const double loss = step();
        if (!std::isfinite(loss)) {
            return failedBy(loss);
        }
        if (isEvaluationDue()) {
            evaluateTestSet();
            m_previousEndNs = 0;
        }
    }
    return {wire::Outcome::Finished, m_step, ""};
}

double TrainingLoop::step()
{
    m_clock.start();
    m_clock.begin(Phase::Data);
    const double learningRate = learningRateAt(m_run, m_step + 1, m_job.plan);
    const torch::Tensor lossTensor = gradient();
    m_clock.begin(Phase::Optimize);
    torch::Tensor& gradients = m_job.parameters.gradients();
    if (m_clip > 0.0) {
        clipGradients({&gradients, 1}, m_clip);
    }
    m_job.optimizer->step({&gradients, 1}, learningRate);
    m_clock.stop();
    // Read last: on a GPU this waits for the step, and nothing of the step is left to queue.
    const double loss = lossTensor.item<double>();
    ++m_step;
    m_samples += m_batchSize;
    record(loss, learningRate);
    return loss;
}

torch::Tensor TrainingLoop::gradient()
{
    if (!m_batches) {
        m_clock.begin(Phase::Backward);
        m_job.parameters.clearGradients();
        m_batchSize = m_job.data.train.size();
        return addGradientInChunks(m_job.net, m_job.data.train, ChunkSamples, m_clock);
    }
    const Batch batch = m_batches->batchOfStep(m_step + 1);
    m_batchSize = batch.size();
    m_clock.begin(Phase::Backward); // the gradient is cleared because backward adds to it
    m_job.parameters.clearGradients();
    return addGradient(m_job.net, batch, m_clock);
}

void TrainingLoop::record(double loss, double learningRate)
{
    StepRow row{.step = m_step,
        .samples = m_samples,
        .batch = m_batchSize,
        .loss = loss,
        .learningRate = learningRate,
        .phaseNs = m_clock.phaseNs()};
    for (const StepClock::Span& span : m_clock.spans()) {
        m_recorder.span(m_step, span.phase, span.startNs, span.durationNs);
    }
    row.endNs = monotonicNs();
    // What lies between two steps (rows, log lines, control) counts as well; a pause or an evaluation does not.
    row.wallNs = row.endNs - (m_previousEndNs != 0 ? m_previousEndNs : m_clock.startNs());
    m_previousEndNs = row.endNs;
    m_recorder.step(row);
    m_logSums.add(row);
    if (m_step % m_logEvery == 0 || m_step == m_job.plan.totalSteps) {
        m_recorder.log(wire::LogLevel::Info, m_logSums.take(row, m_job.plan.totalSteps));
    }
}

bool TrainingLoop::isEvaluationDue() const
{
    const std::int64_t perEpoch = m_job.plan.stepsPerEpoch;
    const bool isEpochEnd = m_step % perEpoch == 0 && m_step / perEpoch % m_evaluateEvery == 0;
    return m_job.data.test.size() > 0 && (isEpochEnd || m_step == m_job.plan.totalSteps);
}

void TrainingLoop::evaluateTestSet()
{
    const std::int64_t start = monotonicNs();
    const TestScore score = evaluate(m_job.net, m_job.data.test);
    const std::int64_t end = monotonicNs();
    m_recorder.span(m_step, Phase::Evaluate, start, end - start);
    m_recorder.evaluation({.step = m_step,
        .samples = m_samples,
        .endNs = end,
        .durationNs = end - start,
        .accuracy = score.accuracy,
        .loss = score.loss});
    m_recorder.log(wire::LogLevel::Info,
        "step " + std::to_string(m_step) + ": test accuracy " + percent(score.accuracy) + " of "
            + std::to_string(m_job.data.test.size()) + " images");
}

wire::Goodbye TrainingLoop::failedBy(double loss) const
{
    std::array<char, 32> rate{};
    std::snprintf(rate.data(), rate.size(), "%.4g", m_run.real("optimizer.lr"));
    return {wire::Outcome::Failed, m_step,
        "rank " + std::to_string(m_context.rank.number) + ": loss became " + (std::isnan(loss) ? "NaN" : "infinite")
            + " at step " + std::to_string(m_step) + " (optimizer.lr " + rate.data() + ")"};
}

} // namespace lockstep::engine
