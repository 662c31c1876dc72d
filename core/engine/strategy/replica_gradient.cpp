#include "engine/strategy/replica_gradient.h"

#include "engine/model/gradient.h"
#include "experiment/choices.h"
#include "experiment/rank_fault.h"
#include "plan/steps.h"

#include <torch/types.h>

#include <utility>

namespace lockstep::engine {

namespace {

constexpr std::int64_t StepsBeforeGraph = 3;

} // namespace

ReplicaGradient::ReplicaGradient(const experiment::RunSpec& run, int rank, Job& job, Recorder& recorder, Graphs graphs)
    : m_job(job)
    , m_recorder(recorder)
    , m_rank(rank)
    , m_wrongScale(experiment::faultOf(run, rank).gradientScale)
    , m_microBatches(run.settings->train.accumulate)
    , m_recordsGraphs(graphs == Graphs::Allowed && job.data.train.inputs.is_cuda() && run.settings->train.usesGraphs
          && m_microBatches == 1 && !job.optimizer->wantsWholeBatch())
{
    if (m_recordsGraphs && !is(run, experiment::Recompute::None)) {
        m_recordsGraphs = false;
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
    if (isRecordable(batch)) {
        if (const torch::Tensor loss = fromGraph(batch, scale, clock); loss.defined()) {
            return loss;
        }
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

bool ReplicaGradient::isRecordable(const Batch& batch)
{
    if (!m_recordsGraphs) {
        return false;
    }
    if (m_graph && batch.size() == m_graphBatch && batch.inputs.data_ptr() != m_graphInputs) {
        m_graph.reset(); // a larger batch has moved all batches
    }
    if (m_graph) {
        return batch.size() == m_graphBatch;
    }
    // The first steps run without graphs: in them libraries choose kernels and allocate memory.
    m_stepsBeforeGraph = batch.size() == m_graphBatch ? m_stepsBeforeGraph + 1 : 0;
    m_graphBatch = batch.size();
    return m_stepsBeforeGraph > StepsBeforeGraph;
}

torch::Tensor ReplicaGradient::fromGraph(const Batch& batch, double scale, StepClock& clock)
{
    if (!m_graph) {
        const Text what(LS_TR("Messages", "rank %1: forward and backward of batches of %2"), {m_rank, batch.size()});
        auto recorded = recordGradient(m_job.net, m_job.parameters, batch);
        if (!recorded) {
            m_recordsGraphs = false;
            m_recorder.log(wire::LogLevel::Warning,
                {LS_TR("Messages", "%1 cannot be recorded as CUDA graphs, and are launched kernel by kernel: %2"),
                    {what, recorded.error()}});
            return {};
        }
        m_graph = std::move(*recorded);
        m_graphInputs = batch.inputs.data_ptr();
        m_recorder.log(wire::LogLevel::Info, {LS_TR("Messages", "%1 are recorded as CUDA graphs"), {what}});
    }
    m_graph->setScale(scale);
    clock.begin(Phase::Forward);
    m_graph->forward();
    clock.begin(Phase::Backward);
    m_graph->backward();
    return m_graph->loss();
}

} // namespace lockstep::engine
