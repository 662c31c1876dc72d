// Which processor cores a rank computes on.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::engine {

/// Cores available to this process before it was bound to some of them.
[[nodiscard]] std::int32_t coresAtStart();

/// The `each` cores of `allowed` that are this rank's own, from the first on; with one each, ranks may share cores
/// equally. Empty where there are not enough cores for that.
[[nodiscard]] std::vector<int> coresOfRank(int rank, int ranks, int each, const std::vector<int>& allowed);

/// Binds every thread of this process, and those that they start later, to coresOfRank(). Otherwise the kernel wakes a
/// rank on the core of the rank that it waited for, and moves it only later: every step loses half a millisecond.
void bindToCores(int rank, int ranks, int each);

} // namespace lockstep::engine
