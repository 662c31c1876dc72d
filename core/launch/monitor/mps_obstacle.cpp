#include "launch/monitor/mps_obstacle.h"

#include "base/translate.h"
#include "launch/monitor/nvml_api.h"

namespace lockstep::launch {

namespace {

/// Volta: before it, all processes share one address space, and one that is killed ends the others.
constexpr ComputeCapability Oldest{7, 0};

Text obstacleOf(const GpuFacts& gpu)
{
    if (gpu.isMig.value_or(false)) {
        return {LS_TR("Messages", "GPU %1 is cut into MIG slices"), {gpu.number}};
    }
    if (gpu.capability && *gpu.capability < Oldest) {
        return {LS_TR("Messages", "GPU %1 is older than Volta (compute capability %2.%3; 7.0 is needed)"),
            {gpu.number, gpu.capability->major, gpu.capability->minor}};
    }
    if (gpu.computeMode == nvml::ModeProhibited) {
        return {LS_TR("Messages", "GPU %1 is in compute mode Prohibited (`sudo nvidia-smi -c DEFAULT` changes it)"),
            {gpu.number}};
    }
    if (gpu.computeMode == nvml::ModeExclusiveThread) {
        return {
            LS_TR("Messages", "GPU %1 is in compute mode Exclusive_Thread (`sudo nvidia-smi -c DEFAULT` changes it)"),
            {gpu.number}};
    }
    return {};
}

} // namespace

Text mpsObstacle(const MpsFacts& facts)
{
    if (facts.isWsl) {
        return LS_TR("Messages", "WSL has no MPS");
    }
    if (!facts.hasProgram) {
        return LS_TR("Messages",
            "nvidia-cuda-mps-control is not in PATH (Debian: nvidia-cuda-mps, Ubuntu: nvidia-compute-utils)");
    }
    if (facts.gpus.empty()) {
        return LS_TR("Messages", "the NVIDIA driver reports no GPU");
    }
    for (const GpuFacts& gpu : facts.gpus) {
        if (const Text obstacle = obstacleOf(gpu); !obstacle.empty()) {
            return obstacle;
        }
    }
    return {};
}

} // namespace lockstep::launch
