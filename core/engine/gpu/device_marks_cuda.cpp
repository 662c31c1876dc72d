// Marks are CUDA events on a stream.
#include "engine/gpu/device_marks.h"

#include "base/clock.h"
#include "engine/gpu/host_alignment.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <deque>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

/// Elapsed times are floats of milliseconds: up to here they are good to a third of a microsecond.
constexpr float FarthestMs = 4000.0F;

class CudaMarks final : public DeviceMarks {
public:
    CudaMarks(torch::Device device, cudaStream_t stream)
        : m_device(device)
        , m_stream(stream)
    {
        const c10::cuda::CUDAGuard guard(m_device);
        m_anchor = freeEvent();
        C10_CUDA_CHECK(cudaEventRecord(m_anchor, streamNow()));
        C10_CUDA_CHECK(cudaEventSynchronize(m_anchor)); // once, before the first step
        m_anchorNs = monotonicNs();
    }

    ~CudaMarks() override
    {
        for (cudaEvent_t event : m_live) {
            static_cast<void>(cudaEventDestroy(event));
        }
        for (cudaEvent_t event : m_free) {
            static_cast<void>(cudaEventDestroy(event));
        }
        static_cast<void>(cudaEventDestroy(m_anchor));
    }

    Mark mark() override
    {
        cudaEvent_t event = freeEvent();
        m_live.push_back(event);
        C10_CUDA_CHECK(cudaEventRecord(event, streamNow()));
        return m_first + static_cast<Mark>(m_live.size()) - 1;
    }

    bool isReached(Mark mark) override
    {
        const cudaError_t state = cudaEventQuery(eventOf(mark));
        if (state == cudaErrorNotReady) {
            static_cast<void>(cudaGetLastError()); // not an error, but stored as one
            return false;
        }
        C10_CUDA_CHECK(state);
        return true;
    }

    std::int64_t timeNs(Mark mark) override
    {
        float elapsed = 0.0F;
        C10_CUDA_CHECK(cudaEventElapsedTime(&elapsed, m_anchor, eventOf(mark)));
        const std::int64_t time = m_anchorNs + static_cast<std::int64_t>(static_cast<double>(elapsed) * 1e6);
        if (elapsed > FarthestMs) {
            std::swap(m_anchor, m_live[static_cast<std::size_t>(mark - m_first)]);
            m_anchorNs = time;
            // Otherwise a second query of this mark would use the old anchor.
            m_moved = mark;
        }
        const std::int64_t onHost = time + m_alignment.offsetNs();
        if (mark > m_seen) {
            m_seen = mark;
            m_alignment.seen(onHost, monotonicNs());
        }
        return onHost;
    }

    void release(Mark mark) override
    {
        for (; m_first <= mark && !m_live.empty(); ++m_first) {
            m_free.push_back(m_live.front());
            m_live.pop_front();
        }
    }

private:
    cudaStream_t streamNow() const
    {
        return m_stream != nullptr ? m_stream : c10::cuda::getCurrentCUDAStream(m_device.index()).stream();
    }

    cudaEvent_t eventOf(Mark mark)
    {
        return mark == m_moved ? m_anchor : m_live[static_cast<std::size_t>(mark - m_first)];
    }

    cudaEvent_t freeEvent()
    {
        if (m_free.empty()) {
            const c10::cuda::CUDAGuard guard(m_device);
            cudaEvent_t event = nullptr;
            C10_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDefault));
            return event;
        }
        cudaEvent_t event = m_free.back();
        m_free.pop_back();
        return event;
    }

    torch::Device m_device;
    cudaStream_t m_stream; ///< null: that of the thread
    cudaEvent_t m_anchor = nullptr;
    std::int64_t m_anchorNs = 0;
    Mark m_first = 0; ///< the mark of m_live's first
    Mark m_moved = -1; ///< whose event is the anchor
    Mark m_seen = -1;
    std::deque<cudaEvent_t> m_live;
    std::vector<cudaEvent_t> m_free;
    HostAlignment m_alignment;
};

} // namespace

std::unique_ptr<DeviceMarks> marksOf(torch::Device device, void* stream)
{
    return device.is_cuda() ? std::make_unique<CudaMarks>(device, static_cast<cudaStream_t>(stream)) : nullptr;
}

} // namespace lockstep::engine
