// The clocks. Durations come from the monotonic one, which all processes of a machine share
// (CLOCK_MONOTONIC), dates from the wall clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>

namespace lockstep {

/// Nanoseconds of CLOCK_MONOTONIC: comparable between the processes of one machine, never steps back.
[[nodiscard]] std::int64_t monotonicNs();

/// Nanoseconds since 1970-01-01 UTC.
[[nodiscard]] std::int64_t wallNs();

/// Processor time that the calling thread, or all threads of this process, have used: how long a core has worked,
/// whatever the clock says.
[[nodiscard]] std::int64_t threadProcessorNs();
[[nodiscard]] std::int64_t processProcessorNs();

/// Waits for `time`; true as soon as a stop is requested.
[[nodiscard]] bool isStoppedWithin(const std::stop_token& stop, std::chrono::nanoseconds time);

} // namespace lockstep
