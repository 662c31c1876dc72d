// Who works on which part of a batch.
#pragma once

#include <cstdint>

namespace lockstep::plan {

struct Slice {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// Samples of a micro-batch where `samples` are gone through in `parts` of them; the last has what is left, and there may be
/// none left for it. One process and the stages of a pipeline cut alike, so that their sums are equal to the last bit.
[[nodiscard]] constexpr std::int64_t microBatchSize(std::int64_t samples, std::int64_t parts)
{
    return (samples + parts - 1) / parts;
}

/// Rank `rank`'s part of `total` samples: parts that follow each other and are as equal as can be.
[[nodiscard]] constexpr Slice sliceOf(std::int64_t total, int rank, int ranks)
{
    const std::int64_t first = total * rank / ranks;
    return {first, total * (rank + 1) / ranks - first};
}

} // namespace lockstep::plan
