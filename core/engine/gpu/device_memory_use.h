// How much of a device's memory this process's tensors take, as LibTorch's allocator there counts it.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

struct DeviceMemoryUse {
    std::int64_t live = 0; ///< bytes now
    std::int64_t most = 0; ///< since restartMost()
    std::int64_t workspace = 0; ///< of both, what cuBLAS works in; 0: none, or not known (LibTorch before 2.11)
};

/// Does not block. Zeros for the CPU.
[[nodiscard]] DeviceMemoryUse memoryUseOf(torch::Device device);
void restartMost(torch::Device device);
/// From now on LibTorch's allocator there takes at most about as much from the device, and then throws "out of memory".
/// It reserves more than the tensors take, so that this bounds them roughly.
void boundMemory(torch::Device device, std::int64_t bytes);

} // namespace lockstep::engine
