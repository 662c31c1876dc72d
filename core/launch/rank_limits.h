// What the system must allow for the ranks of runs that are alive together, and what is said where it does not.
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
/// Why a process could not be created, with the limit that was reached, if that is the reason. `why`: what the system
/// says of `code`.
[[nodiscard]] Text atLimit(int code, const Text& why);

} // namespace lockstep::launch
