// Times of another host's CLOCK_MONOTONIC, converted to this machine's or to that of the first rank's host.
#pragma once

#include "wire/messages.h"

#include <cstdint>

namespace lockstep::store {

/// Moves every time in the message, and in the rows of one, by `ns`; what has no time (0) stays.
void shiftTimes(wire::Message& message, std::int64_t ns);
[[nodiscard]] wire::Message withShiftedTimes(wire::Message message, std::int64_t ns);

} // namespace lockstep::store
