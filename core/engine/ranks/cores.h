// Which processor cores a rank computes on.
#pragma once

#include <cstdint>

namespace lockstep::engine {

/// Cores that this process might use before it was bound to some of them.
[[nodiscard]] std::int32_t coresAtStart();

/// Gives the calling thread, and the threads that it starts later, a share of this process's cores that no other rank
/// of the run has. Without that the kernel wakes a rank on the core of the rank that it waited for, and moves it away
/// only after a while: half a millisecond is lost in every step. Does nothing where there are not enough cores for all
/// ranks with `threads` threads each.
void bindToCores(int rank, int ranks, int threads);

} // namespace lockstep::engine
