#include "engine/gpu/device_memory_use.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

namespace lockstep::engine {

namespace {

/// What the allocator holds beyond the tensors: ends of its segments, and segments of other sizes.
constexpr double ReservedForEach = 1.25;
constexpr double ReservedBesides = 64e6;

} // namespace

DeviceMemoryUse memoryUseOf(torch::Device device)
{
    if (!device.is_cuda()) {
        return {};
    }
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device.index());
    const auto& bytes = stats.allocated_bytes.front(); // of all pools together
    return {bytes.current, bytes.peak};
}

void boundMemory(torch::Device device, std::int64_t bytes)
{
    if (!device.is_cuda()) {
        return;
    }
    const c10::cuda::CUDAGuard guard(device);
    std::size_t free = 0;
    std::size_t all = 0;
    C10_CUDA_CHECK(cudaMemGetInfo(&free, &all));
    const double fraction = (static_cast<double>(bytes) * ReservedForEach + ReservedBesides) / static_cast<double>(all);
    if (fraction < 1.0) {
        c10::cuda::CUDACachingAllocator::setMemoryFraction(fraction, device.index());
    }
}

void restartMost(torch::Device device)
{
    if (device.is_cuda()) {
        c10::cuda::CUDACachingAllocator::resetPeakStats(device.index());
    }
}

} // namespace lockstep::engine
