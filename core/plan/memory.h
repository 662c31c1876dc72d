// Predicts each rank's memory by kind without building anything. The engine's accounts are compared with it, and a run
// that cannot fit is refused before it starts.
//
// Per parameter in float32 with Adam: 4 bytes of weight, 4 of gradient and 8 of moments are 16. ZeRO (Rajbhandari et
// al., "ZeRO: Memory optimizations toward training trillion parameter models", 2020, section 5) divides the moments by
// the N ranks (8 + 8/N), then the gradient as well (4 + 12/N), then the weights as well (16/N).
#pragma once

#include "base/memory_kind.h"
#include "base/result.h"
#include "experiment/spec.h"

#include <cstdint>

namespace lockstep::plan {

struct MemoryPlan {
    MemoryBytes bytes{}; ///< after a step; activations, then none, at their peak within one
    /// Peak of the sum at any time, including evaluation and the check against one process (`verify`).
    std::int64_t highest = 0;
};

/// Of one weight, gradient or activation: 8 under `train.dtype` float64, 4 otherwise.
[[nodiscard]] std::int64_t numberBytes(const experiment::RunSpec& run);

/// Of a rank of a run that trains. Data sets of unknown size count as 0.
[[nodiscard]] MemoryPlan memoryOf(const experiment::RunSpec& run, int rank);

/// `rank.memory_mb` in bytes; 0: no limit. Of device memory on GPUs, of host memory on the CPU.
[[nodiscard]] std::int64_t memoryLimitOf(const experiment::RunSpec& run);

/// Whether every rank stays within `rank.memory_mb`, where that is set. The message begins with it.
[[nodiscard]] Result<void> checkMemory(const experiment::RunSpec& run);

} // namespace lockstep::plan
