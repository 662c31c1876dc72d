// GPUs that are cut into slices (MIG). CUDA shows a process one slice at a time, the first that CUDA_VISIBLE_DEVICES
// names, and no whole GPU beside it: only NVML lists them all.
#pragma once

#include "plan/machine.h"

#include <string_view>
#include <vector>

namespace lockstep::engine {

/// A GPU or a slice, as NVML lists it.
struct ListedGpu {
    plan::Gpu gpu;
    int number = 0; ///< of the whole GPU
};

/// All slices and all GPUs that have none, by number; empty where no GPU has slices, or without a driver. Loads
/// libnvidia-ml.so.1, or what LOCKSTEP_NVML names. Does not start CUDA.
[[nodiscard]] std::vector<ListedGpu> listSlicedGpus();

/// Those that CUDA_VISIBLE_DEVICES names, in its order: UUIDs, or the beginning of one, and numbers, which name a whole
/// GPU with all its slices. The first entry that names none ends the list, as in CUDA.
[[nodiscard]] std::vector<plan::Gpu> visibleOf(const std::vector<ListedGpu>& listed, std::string_view variable);

/// What ranks can use where GPUs are cut into slices; empty elsewhere. Each rank has to name its own in
/// CUDA_VISIBLE_DEVICES, by UUID, before it starts CUDA.
[[nodiscard]] std::vector<plan::Gpu> slicedGpus();

} // namespace lockstep::engine
