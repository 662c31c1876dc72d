// What keeps NVIDIA's Multi-Process Service (MPS) from running on a machine's GPUs. With MPS, kernels of several
// processes run on one GPU at the same time ("Multi-Process Service", NVIDIA). Pure: facts in, text out.
#pragma once

#include "base/text.h"
#include "launch/monitor/nvml.h"

#include <vector>

namespace lockstep::launch {

/// The program that starts MPS and is asked about it.
inline constexpr const char* MpsControlProgram = "nvidia-cuda-mps-control";

struct MpsFacts {
    bool hasProgram = false; ///< MpsControlProgram is in PATH
    bool isWsl = false;
    std::vector<GpuFacts> gpus{};
};

/// The first obstacle, as part of a sentence; empty: MPS can be started. What a GPU does not report is no obstacle.
[[nodiscard]] Text mpsObstacle(const MpsFacts& facts);

} // namespace lockstep::launch
