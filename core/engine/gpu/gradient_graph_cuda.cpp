#include "engine/gpu/gradient_graph.h"

#include "engine/train/loss.h"

#include <ATen/cuda/CUDAGraph.h>
#include <torch/torch.h>

namespace lockstep::engine {

namespace {

class CudaGradientGraph final : public GradientGraph {
public:
    CudaGradientGraph(Net& net, FlatParameters& parameters, const Batch& batch)
        : m_batch(batch)
    {
        m_scale = torch::ones({}, parameters.weights().options().requires_grad(false));
        m_forward.capture_begin();
        torch::Tensor loss = crossEntropy(net.forward(m_batch.images), m_batch.labels);
        m_forward.capture_end();
        // One pool for both: what forward has saved for backward stays where it is between the two.
        m_backward.capture_begin(m_forward.pool());
        parameters.clearGradients();
        loss.backward(m_scale);
        m_backward.capture_end();
        m_loss = loss.detach();
    }

    void forward() override { m_forward.replay(); }
    void backward() override { m_backward.replay(); }
    const torch::Tensor& loss() const override { return m_loss; }

    void setScale(double scale) override
    {
        if (scale != m_scaleNow) {
            m_scaleNow = scale;
            const torch::NoGradGuard noGrad;
            m_scale.fill_(scale);
        }
    }

private:
    Batch m_batch; ///< keeps the memory that the graphs read
    torch::Tensor m_scale;
    double m_scaleNow = 1.0;
    torch::Tensor m_loss;
    at::cuda::CUDAGraph m_forward;
    at::cuda::CUDAGraph m_backward;
};

} // namespace

std::unique_ptr<GradientGraph> recordGradient(Net& net, FlatParameters& parameters, const Batch& batch)
{
    return std::make_unique<CudaGradientGraph>(net, parameters, batch);
}

} // namespace lockstep::engine
