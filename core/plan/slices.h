// Who works on which part of a batch.
#pragma once

#include <cstdint>

namespace lockstep::plan {

struct Slice {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// Size of the micro-batches when `samples` are split into `parts`; the last one has the rest, possibly none. A single
/// process and a pipeline's stages split alike, so their sums are bitwise equal.
[[nodiscard]] constexpr std::int64_t microBatchSize(std::int64_t samples, std::int64_t parts)
{
    return (samples + parts - 1) / parts;
}

/// Rank `rank`'s part of `total` samples: contiguous parts, as equal as possible.
[[nodiscard]] constexpr Slice sliceOf(std::int64_t total, int rank, int ranks)
{
    const std::int64_t first = total * rank / ranks;
    return {first, total * (rank + 1) / ranks - first};
}

} // namespace lockstep::plan
