#include "engine/model/pass_recorder.h"

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/types.h>

#include <exception>
#include <memory>
#include <string>

namespace lockstep::engine {

namespace {

class CudaPassGraph final : public PassGraph {
public:
    void replay() override { graph.replay(); }

    at::cuda::CUDAGraph graph;
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

class CudaPassRecorder final : public PassRecorder {
public:
    Result<std::unique_ptr<PassGraph>> record(const std::function<void()>& work) override
    {
        auto recorded = std::make_unique<CudaPassGraph>();
        const auto stream = c10::cuda::getCurrentCUDAStream();
        std::string reason;
        try {
            // Autograd's thread launches backward, and other threads may query the device meanwhile.
            recorded->graph.capture_begin(m_pool, cudaStreamCaptureModeThreadLocal);
            work();
            recorded->graph.capture_end();
            return std::unique_ptr<PassGraph>(std::move(recorded));
        } catch (const c10::Error& error) {
            reason = error.what_without_backtrace();
        } catch (const std::exception& error) {
            reason = error.what();
        }
        endRecording(stream, m_pool);
        return failureOf(verbatim(reason.substr(0, reason.find('\n'))));
    }

private:
    /// One pool for all: what one pass has saved for another stays where it is between the two.
    at::cuda::MempoolId_t m_pool = at::cuda::graph_pool_handle();
};

} // namespace

std::unique_ptr<PassRecorder> makePassRecorder()
{
    return std::make_unique<CudaPassRecorder>();
}

} // namespace lockstep::engine
