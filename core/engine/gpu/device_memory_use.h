// How much of a device's memory this process's tensors take, as LibTorch's allocator there counts it.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

struct DeviceMemoryUse {
    std::int64_t live = 0; ///< bytes now
    std::int64_t most = 0; ///< since restartMost()
};

/// Does not block. Zeros for the CPU.
[[nodiscard]] DeviceMemoryUse memoryUseOf(torch::Device device);
void restartMost(torch::Device device);

} // namespace lockstep::engine
