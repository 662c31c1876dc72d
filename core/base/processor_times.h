// What a process's threads got of the processor, and what it was used for otherwise, while the process's steps counted.
#pragma once

#include <cstdint>

namespace lockstep {

/// All 0: unknown.
struct ProcessorTimes {
    std::int64_t runNs = 0; ///< that its threads ran, all together
    std::int64_t delayNs = 0; ///< that they were runnable and had no core, all together
    std::int64_t busyNs = 0; ///< that the cores it may use were busy, by whomever, all together; 0: unknown
    std::int64_t watchedNs = 0; ///< on the clock

    bool operator==(const ProcessorTimes&) const = default;
};

} // namespace lockstep
