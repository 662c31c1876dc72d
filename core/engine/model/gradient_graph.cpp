#include "engine/model/gradient_graph.h"

#include "engine/model/loss.h"

#include <torch/types.h>
#include <torch/utils.h>

namespace lockstep::engine {

RecordedScale::RecordedScale(const torch::TensorOptions& options)
    : m_scale(torch::ones({}, options.requires_grad(false)))
{ }

void RecordedScale::set(double scale)
{
    if (scale != m_now) {
        m_now = scale;
        const torch::NoGradGuard noGrad;
        m_scale.fill_(scale);
    }
}

Result<std::unique_ptr<GradientGraph>> GradientGraph::record(
    PassRecorder& recorder, Net& net, FlatParameters& parameters, const Batch& batch)
{
    std::unique_ptr<GradientGraph> graph(new GradientGraph(batch, parameters.weights().options()));
    GradientGraph& passes = *graph; // a graph that runs its work again finds it there
    LOCKSTEP_TRY_ASSIGN(graph->m_forward, recorder.record([&passes, &net] {
        passes.m_loss = crossEntropy(net.forward(passes.m_batch.inputs), passes.m_batch.labels);
    }));
    LOCKSTEP_TRY_ASSIGN(graph->m_backward, recorder.record([&passes, &parameters] {
        parameters.clearGradients();
        passes.m_loss.backward(passes.m_scale.tensor());
        passes.m_loss = passes.m_loss.detach(); // frees what forward has saved
    }));
    return graph;
}

} // namespace lockstep::engine
