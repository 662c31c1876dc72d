// Who belongs to a part of a group that is being split.
#pragma once

#include "engine/comm/communicator.h"

#include <vector>

namespace lockstep::comm {

struct Members {
    std::vector<int> ranks; ///< in the numbers of the whole group; empty where this rank's color is negative
    int place = 0; ///< this rank's index in `ranks`
};

/// The ranks with this rank's `color`, ordered by `key`, then by rank. Every rank of `whole` calls it.
[[nodiscard]] Result<Members> membersOf(Communicator& whole, int color, int key);

} // namespace lockstep::comm
