#include "engine/gpu/device_memory_use.h"

#include <c10/cuda/CUDACachingAllocator.h>

namespace lockstep::engine {

DeviceMemoryUse memoryUseOf(torch::Device device)
{
    if (!device.is_cuda()) {
        return {};
    }
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device.index());
    const auto& bytes = stats.allocated_bytes.front(); // of all pools together
    return {bytes.current, bytes.peak};
}

void restartMost(torch::Device device)
{
    if (device.is_cuda()) {
        c10::cuda::CUDACachingAllocator::resetPeakStats(device.index());
    }
}

} // namespace lockstep::engine
