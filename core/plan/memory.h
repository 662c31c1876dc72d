// How much memory a run will take on each rank, by kind, without building anything: what the accounts of the engine are
// held against, and what is said to a run that cannot fit before it starts.
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
    MemoryBytes bytes{}; ///< after a step; activations, of which there are then none, at their most within one
    /// The most of all together at any time, evaluation and the check against one process (`verify`) among it.
    std::int64_t highest = 0;
};

/// Of a rank of a run that trains. Sizes of data sets that only reading them would tell count as 0.
[[nodiscard]] MemoryPlan memoryOf(const experiment::RunSpec& run, int rank);

/// Tensors of the parameters' size that the optimizer keeps: 0 for gd and sgd, 1 for momentum, 2 for Adam.
[[nodiscard]] std::int64_t optimizerTensors(const experiment::RunSpec& run);

/// Bytes of parameters, gradients and optimizer state where ZeRO's `stage` (0 to 3) divides them between `ranks`; the
/// shards are those of equal parts, without what is gathered on the way.
[[nodiscard]] MemoryBytes zeroStates(
    std::int64_t parameters, std::int64_t bytesEach, std::int64_t optimizerTensors, int stage, int ranks);

/// Whether every rank stays within `rank.memory_mb`, where that is set. The message begins with it.
[[nodiscard]] Result<void> checkMemory(const experiment::RunSpec& run);

} // namespace lockstep::plan
