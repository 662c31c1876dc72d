// Combines consecutive arrays, one per rank, into one. Private to this folder.
#pragma once

#include "engine/comm/algorithms/algorithms.h"

namespace lockstep::comm {

/// to = combine(the size() arrays in `gathered`, by rank). Copies arrays on a device to the host, and the result back.
[[nodiscard]] Result<void> combineGathered(
    Communicator& group, const View& to, const Combine& combine, const View& gathered, Scratch& scratch);

} // namespace lockstep::comm
