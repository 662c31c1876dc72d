#include "engine/data/batch_uploads.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/types.h>

#include <algorithm>
#include <array>

namespace lockstep::engine {

namespace {

class CudaUploads final : public BatchUploads {
public:
    CudaUploads(torch::Device device, const LabelledInputs& data)
        : m_device(device)
        , m_data(data)
        , m_stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/true, device.index()))
    { }

    Batch room(std::int64_t samples) override
    {
        Slot& slot = m_slots[m_next];
        if (!slot.hostInputs.defined() || slot.hostLabels.size(0) < samples) {
            slot.hostInputs = roomFor(m_data.inputs, samples, torch::kCPU);
            slot.hostLabels = roomFor(m_data.labels, samples, torch::kCPU);
            slot.inputs = roomFor(m_data.inputs, samples, m_device);
            slot.labels = roomFor(m_data.labels, samples, m_device);
            // Other work that is still running may have used it.
            slot.used.record(c10::cuda::getCurrentCUDAStream(m_device.index()));
        } else {
            slot.copied.synchronize(); // two batches ago: it is done
        }
        m_samples = samples;
        return {slot.hostInputs.narrow(0, 0, samples), slot.hostLabels.narrow(0, 0, samples)};
    }

    void send() override
    {
        Slot& slot = m_slots[m_next];
        const c10::cuda::CUDAStreamGuard guard(m_stream);
        slot.used.block(m_stream);
        slot.inputs.narrow(0, 0, m_samples).copy_(slot.hostInputs.narrow(0, 0, m_samples), /*non_blocking=*/true);
        slot.labels.narrow(0, 0, m_samples).copy_(slot.hostLabels.narrow(0, 0, m_samples), /*non_blocking=*/true);
        slot.copied.record(m_stream);
        slot.samples = m_samples;
        m_next = 1 - m_next;
    }

    Batch take() override
    {
        Slot& slot = m_slots[1 - m_next];
        const auto training = c10::cuda::getCurrentCUDAStream(m_device.index());
        // All work on the previous batch has been queued by now, and the next one will overwrite it.
        m_slots[m_next].used.record(training);
        slot.copied.block(training);
        return {slot.inputs.narrow(0, 0, slot.samples), slot.labels.narrow(0, 0, slot.samples)};
    }

private:
    struct Slot {
        torch::Tensor hostInputs;
        torch::Tensor hostLabels;
        torch::Tensor inputs;
        torch::Tensor labels;
        std::int64_t samples = 0;
        at::cuda::CUDAEvent copied;
        at::cuda::CUDAEvent used;
    };

    static torch::Tensor roomFor(const torch::Tensor& like, std::int64_t samples, torch::Device device)
    {
        auto sizes = like.sizes().vec();
        sizes[0] = samples;
        return torch::empty(sizes, like.options().device(device).pinned_memory(device.is_cpu()));
    }

    torch::Device m_device;
    const LabelledInputs& m_data;
    c10::cuda::CUDAStream m_stream;
    std::array<Slot, 2> m_slots;
    std::size_t m_next = 0;
    std::int64_t m_samples = 0;
};

} // namespace

std::unique_ptr<BatchUploads> uploadsTo(torch::Device device, const LabelledInputs& data)
{
    return device.is_cuda() && data.inputs.device().is_cpu() ? std::make_unique<CudaUploads>(device, data) : nullptr;
}

bool fitsOnDevice(torch::Device device, std::int64_t bytes, std::int64_t limit)
{
    if (!device.is_cuda()) {
        return true;
    }
    const c10::cuda::CUDAGuard guard(device);
    std::size_t free = 0;
    std::size_t all = 0;
    C10_CUDA_CHECK(cudaMemGetInfo(&free, &all));
    const std::size_t room = limit > 0 ? std::min(free, static_cast<std::size_t>(limit)) : free;
    return static_cast<std::size_t>(bytes) <= room / 4;
}

} // namespace lockstep::engine
