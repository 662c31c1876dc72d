// How many ranks a trimmed mean discards: the engine does it, findings say where it is none.
#pragma once

#include <algorithm>

namespace lockstep::plan {

/// At each end of `ranks` ranks for a share of `trim` (0 .. 0.5): the whole part of trim * ranks, at least one left.
[[nodiscard]] constexpr int trimmedAtEachEnd(double trim, int ranks)
{
    return std::min(static_cast<int>(trim * ranks), (ranks - 1) / 2);
}

} // namespace lockstep::plan
