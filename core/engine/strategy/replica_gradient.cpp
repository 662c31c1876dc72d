#include "engine/strategy/replica_gradient.h"

#include "engine/model/gradient.h"
#include "experiment/choices.h"
#include "experiment/rank_fault.h"
#include "plan/steps.h"

#include <torch/types.h>

#include <utility>

namespace lockstep::engine {

ReplicaGradient::ReplicaGradient(const experiment::RunSpec& run, int rank, Job& job, Recorder& recorder, Graphs graphs)
    : m_job(job)
    , m_recorder(recorder)
    , m_rank(rank)
    , m_wrongScale(experiment::faultOf(run, rank).gradientScale)
    , m_microBatches(run.settings->train.accumulate)
    , m_recorded(graphs == Graphs::Allowed && job.passRecorder && run.settings->train.usesGraphs && m_microBatches == 1
          && !job.optimizer->wantsWholeBatch())
{
    if (m_recorded.isOn() && !is(run, experiment::Recompute::None)) {
        m_recorded.giveUp();
        m_recorder.log(wire::LogLevel::Info,
            {LS_TR("Messages", "rank %1: no CUDA graphs, because backward recomputes activations"), {m_rank}});
    }
}

torch::Tensor ReplicaGradient::compute(
    const Batch& batch, double scale, StepClock& clock, const std::function<void()>& beforeLastBackward)
{
    if (batch.size() == 0) {
        if (beforeLastBackward) {
            beforeLastBackward();
        }
        m_job.parameters.zeroGradients();
        return torch::zeros({}, torch::kDouble);
    }
    scale *= m_wrongScale * (m_job.scaler ? m_job.scaler->scale() : 1.0);
    clock.begin(Phase::Backward); // including clearing the gradient, to which backward adds
    if (m_job.optimizer->wantsWholeBatch()) {
        return inChunks(batch, ChunkSamples, scale, clock, beforeLastBackward);
    }
    const auto way = m_recorded.next(batch);
    if (way == RecordedBatches::Way::Record) {
        record(batch);
    }
    if (way != RecordedBatches::Way::Run && m_graph) {
        return fromGraph(scale, clock);
    }
    if (m_microBatches > 1) {
        return inChunks(batch, plan::microBatchSize(batch.size(), m_microBatches), scale, clock, beforeLastBackward);
    }
    m_job.parameters.clearGradients();
    if (beforeLastBackward) {
        beforeLastBackward();
    }
    return addGradient(m_job.net, batch, clock, scale);
}

torch::Tensor ReplicaGradient::inChunks(const Batch& batch, std::int64_t chunk, double scale, StepClock& clock,
    const std::function<void()>& beforeLastBackward)
{
    m_job.parameters.clearGradients();
    return addGradientInChunks(m_job.net, {batch.inputs, batch.labels}, chunk, clock, scale, beforeLastBackward);
}

void ReplicaGradient::record(const Batch& batch)
{
    const Text what(LS_TR("Messages", "rank %1: forward and backward of batches of %2"), {m_rank, batch.size()});
    m_graph.reset();
    auto recorded = GradientGraph::record(*m_job.passRecorder(), m_job.net, m_job.parameters, batch);
    if (!recorded) {
        m_recorded.giveUp();
        m_recorder.log(wire::LogLevel::Warning,
            {LS_TR("Messages", "%1 cannot be recorded as CUDA graphs, and are launched kernel by kernel: %2"),
                {what, recorded.error()}});
        return;
    }
    m_graph = std::move(*recorded);
    m_recorder.log(wire::LogLevel::Info, {LS_TR("Messages", "%1 are recorded as CUDA graphs"), {what}});
}

torch::Tensor ReplicaGradient::fromGraph(double scale, StepClock& clock)
{
    m_graph->setScale(scale);
    clock.begin(Phase::Forward);
    m_graph->forward();
    clock.begin(Phase::Backward);
    m_graph->backward();
    return m_graph->loss();
}

} // namespace lockstep::engine
