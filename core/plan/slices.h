// Who works on which part of a batch.
#pragma once

#include <cstdint>

namespace lockstep::plan {

struct Slice {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// Rank `rank`'s part of `total` samples: parts that follow each other and are as equal as can be.
[[nodiscard]] constexpr Slice sliceOf(std::int64_t total, int rank, int ranks)
{
    const std::int64_t first = total * rank / ranks;
    return {first, total * (rank + 1) / ranks - first};
}

} // namespace lockstep::plan
