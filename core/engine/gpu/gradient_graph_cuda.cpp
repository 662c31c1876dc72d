#include "engine/gpu/gradient_graph.h"

#include "engine/train/loss.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/torch.h>

#include <exception>
#include <string>

namespace lockstep::engine {

namespace {

class CudaGradientGraph final : public GradientGraph {
public:
    /// One pool for both passes: what forward has saved for backward stays where it is between the two.
    CudaGradientGraph(Net& net, FlatParameters& parameters, const Batch& batch, at::cuda::MempoolId_t pool)
        : m_batch(batch)
        , m_scale(torch::ones({}, parameters.weights().options().requires_grad(false)))
    {
        // Autograd's thread launches backward, and others of the process may ask the device something meanwhile.
        constexpr auto Mode = cudaStreamCaptureModeThreadLocal;
        m_forward.capture_begin(pool, Mode);
        torch::Tensor loss = crossEntropy(net.forward(m_batch.images), m_batch.labels);
        m_forward.capture_end();
        m_backward.capture_begin(pool, Mode);
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

/// A recording that was broken off leaves the stream and the allocator recording.
void endRecording(c10::cuda::CUDAStream stream, at::cuda::MempoolId_t pool)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    static_cast<void>(cudaStreamIsCapturing(stream, &status));
    if (status != cudaStreamCaptureStatusNone) {
        cudaGraph_t graph = nullptr;
        static_cast<void>(cudaStreamEndCapture(stream, &graph));
        if (graph != nullptr) {
            static_cast<void>(cudaGraphDestroy(graph));
        }
        c10::cuda::CUDACachingAllocator::endAllocateToPool(stream.device_index(), pool);
    }
    static_cast<void>(cudaGetLastError()); // what has been told must not be found again
}

} // namespace

Result<std::unique_ptr<GradientGraph>> recordGradient(Net& net, FlatParameters& parameters, const Batch& batch)
{
    const auto pool = at::cuda::graph_pool_handle();
    const auto stream = c10::cuda::getCurrentCUDAStream();
    std::string reason;
    try {
        return std::unique_ptr<GradientGraph>(std::make_unique<CudaGradientGraph>(net, parameters, batch, pool));
    } catch (const c10::Error& error) {
        reason = error.what_without_backtrace();
    } catch (const std::exception& error) {
        reason = error.what();
    }
    endRecording(stream, pool);
    return Error{reason.substr(0, reason.find('\n'))};
}

} // namespace lockstep::engine
