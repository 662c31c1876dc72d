// What every communicator of arrays on a GPU has to do, whichever backend it is of.
#pragma once

#include "gpu/gpu_ranks.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lockstep::tests {

/// Every collective, on small arrays whose result is known to the bit.
[[nodiscard]] Result<void> everyTypeAndReduction(const GpuRank& rank);
/// Of 4, 16, ... megabytes.
[[nodiscard]] Result<void> largeArrays(const GpuRank& rank, std::int64_t largestMegabytes);

/// Each call on another stream than the last, and the next works on what it gives.
[[nodiscard]] Result<void> streamsInTurns(const GpuRank& rank);
/// Parts of an array, computed on one stream and summed on another beside it.
[[nodiscard]] Result<void> sumsBesideOtherWork(const GpuRank& rank);

/// One larger than the other, without a wait between: the group's slots grow while they are in use.
[[nodiscard]] Result<void> growingArrays(const GpuRank& rank);
/// All-reduce of an array of the group's, again and again, whose result stays there.
[[nodiscard]] Result<void> sharedArrays(const GpuRank& rank);
/// All-reduce of two parts of such an array in place, with every type and reduction.
[[nodiscard]] Result<void> partsInPlace(const GpuRank& rank);

using AsRanks = std::function<std::vector<Ending>(int ranks, const std::function<Result<void>(const GpuRank&)>& body)>;
/// Rank 1 is killed with work queued: the others name it within 3 s. What is wrong with that, if anything is.
[[nodiscard]] std::string aKilledRank(int ranks, const AsRanks& asRanks);

class Report {
public:
    /// A line about a check; an empty complaint: it has passed.
    void add(const std::string& name, const std::string& complaint);
    [[nodiscard]] int failures() const { return m_failures; }

private:
    int m_failures = 0;
};

} // namespace lockstep::tests
