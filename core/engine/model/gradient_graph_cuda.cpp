#include "engine/model/gradient_graph.h"

#include "engine/model/loss.h"

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace lockstep::engine {

namespace {

/// Both passes. One pool for both: what forward has saved for backward stays where it is between the two.
struct Recording {
    at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
    at::cuda::CUDAGraph forward;
    at::cuda::CUDAGraph backward;
};

class CudaGradientGraph final : public GradientGraph {
public:
    CudaGradientGraph(Net& net, FlatParameters& parameters, const Batch& batch, std::shared_ptr<Recording> recording)
        : m_batch(batch)
        , m_scale(torch::ones({}, parameters.weights().options().requires_grad(false)))
        , m_recording(std::move(recording))
    {
        // Autograd's thread launches backward, and other threads may query the device meanwhile.
        constexpr auto Mode = cudaStreamCaptureModeThreadLocal;
        m_recording->forward.capture_begin(m_recording->pool, Mode);
        torch::Tensor loss = crossEntropy(net.forward(m_batch.inputs), m_batch.labels);
        m_recording->forward.capture_end();
        m_recording->backward.capture_begin(m_recording->pool, Mode);
        parameters.clearGradients();
        loss.backward(m_scale);
        m_recording->backward.capture_end();
        m_loss = loss.detach();
    }

    void forward() override { m_recording->forward.replay(); }
    void backward() override { m_recording->backward.replay(); }
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
    std::shared_ptr<Recording> m_recording;
};

template <typename Call>
void anyway(const Call& call)
{
    try {
        call();
    } catch (const std::exception&) { // it had not got that far
    }
}

/// A recording that was broken off leaves the stream and both allocators recording; a graph must not be destroyed
/// before that has ended.
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
    }
    static_cast<void>(cudaGetLastError()); // a reported error must not be found again
    anyway([&] { c10::cuda::CUDACachingAllocator::endAllocateToPool(stream.device_index(), pool); });
    anyway([&] { at::getHostAllocator(at::kCUDA)->end_allocate_to_pool(pool); });
}

} // namespace

Result<std::unique_ptr<GradientGraph>> recordGradient(Net& net, FlatParameters& parameters, const Batch& batch)
{
    const auto recording = std::make_shared<Recording>();
    const auto stream = c10::cuda::getCurrentCUDAStream();
    std::string reason;
    try {
        return std::unique_ptr<GradientGraph>(std::make_unique<CudaGradientGraph>(net, parameters, batch, recording));
    } catch (const c10::Error& error) {
        reason = error.what_without_backtrace();
    } catch (const std::exception& error) {
        reason = error.what();
    }
    endRecording(stream, recording->pool);
    return failureOf(verbatim(reason.substr(0, reason.find('\n'))));
}

} // namespace lockstep::engine
