// Arrays that stand behind each other, one a rank, made one. Private to this folder.
#pragma once

#include "engine/comm/algorithms/algorithms.h"

namespace lockstep::comm {

/// to = combine of the size() arrays in `gathered`, by rank. Out of a device's memory they are brought to the host's,
/// and the result back.
[[nodiscard]] Result<void> combineGathered(
    Communicator& group, const View& to, const Combine& combine, const View& gathered, Scratch& scratch);

} // namespace lockstep::comm
