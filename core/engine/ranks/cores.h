// Which processor cores a rank computes on.
#pragma once

#include <cstdint>

namespace lockstep::engine {

/// Cores available to this process before it was bound to some of them.
[[nodiscard]] std::int32_t coresAtStart();

/// Binds the calling thread, and the threads that it starts later, to a share of this process's cores that no other
/// rank of the run has. Otherwise the kernel wakes a rank on the core of the rank that it waited for, and moves it only
/// later: every step loses half a millisecond. Does nothing where there are not enough cores for all ranks with
/// `threads` threads each.
void bindToCores(int rank, int ranks, int threads);

} // namespace lockstep::engine
