// What the system must allow for the ranks of runs that are alive together.
#pragma once

#include "base/result.h"

#include <cstdint>

namespace lockstep::launch {

/// Runs that are alive together, and all their ranks.
struct Crowd {
    std::int64_t runs = 1;
    std::int64_t ranks = 1;
};

/// Refuses more than can be started on this machine, with the limit that is in the way: open files of this process,
/// processes of this user or of the control group.
[[nodiscard]] Result<void> checkLimits(const Crowd& crowd);

} // namespace lockstep::launch
