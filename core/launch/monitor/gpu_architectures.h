// Which GPUs run code that LibTorch was built with, by the names of NVIDIA's architectures. Pure.
#pragma once

#include "launch/monitor/nvml.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::launch {

/// The number that the text begins with.
[[nodiscard]] std::optional<int> numberAtFront(std::string_view text);

/// Whether machine code or intermediate code for these architectures runs on the GPU: `sm_86` on 8.6 and 8.9, but not
/// on 9.0; `compute_86` on all from 8.6 on; `sm_90a` on 9.0 alone.
[[nodiscard]] bool runsOn(ComputeCapability gpu, const std::vector<std::string>& architectures);
/// Whether the GPU's compute capability is below those of all of them.
[[nodiscard]] bool isOlderThanAll(ComputeCapability gpu, const std::vector<std::string>& architectures);

} // namespace lockstep::launch
