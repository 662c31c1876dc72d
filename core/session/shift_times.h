// Times of another host's CLOCK_MONOTONIC, told by this machine's or by that of the first rank's host.
#pragma once

#include "wire/messages.h"

#include <cstdint>

namespace lockstep::session {

/// Moves every time in the message, and in the rows of one, by `ns`; what has no time (0) stays.
void shiftTimes(wire::Message& message, std::int64_t ns);
[[nodiscard]] wire::Message withShiftedTimes(wire::Message message, std::int64_t ns);

} // namespace lockstep::session
