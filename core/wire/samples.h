// Messages about a rank's process, sampled a few times a second: its memory and processor times.
#pragma once

#include "base/field.h"
#include "base/memory_kind.h"

#include <cstdint>

namespace lockstep::wire {

/// Memory and processor times of the process, sampled a few times a second.
struct Vitals {
    std::int64_t timeNs = 0;
    std::int64_t residentBytes = 0;
    std::int64_t deviceBytes = 0; ///< 0 on CPU
    // ProcessorTimes since the first step, without holds; 0: unknown, also from a rank of an earlier version.
    std::int64_t runNs = 0;
    std::int64_t runDelayNs = 0;
    std::int64_t busyNs = 0;
    std::int64_t watchedNs = 0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("time_ns"), &Vitals::timeNs);
        visit(Field("resident_bytes").notNegative().storedAs("resident"), &Vitals::residentBytes);
        visit(Field("device_bytes").notNegative().storedAs("device"), &Vitals::deviceBytes);
        visit(Field("run_ns").notNegative(), &Vitals::runNs);
        visit(Field("run_delay_ns").notNegative(), &Vitals::runDelayNs);
        visit(Field("busy_ns").notNegative(), &Vitals::busyNs);
        visit(Field("watched_ns").notNegative(), &Vitals::watchedNs);
    }
    bool operator==(const Vitals&) const = default;
};

/// Memory of a rank's tensors and shared arrays, a few times a second and after the last step; never dropped.
struct MemorySample {
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    MemoryBytes live{}; ///< after the step
    MemoryBytes most{}; ///< of each kind, within the steps since the last sample
    std::int64_t mostOfSum = 0; ///< of all kinds together, within the steps since the last sample
    std::int64_t highest = 0; ///< of all kinds together since the run began, including loading and evaluation
    std::int64_t residentBytes = 0; ///< of the whole process, libraries and all
    std::int64_t highestResidentBytes = 0; ///< since the process began
    MemoryBytes planned{}; ///< expected before the run began: activations at peak, the rest after a step
    std::int64_t plannedHighest = 0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &MemorySample::step);
        visit(Field("time_ns"), &MemorySample::timeNs);
        visit(Field("live").notNegative(), &MemorySample::live);
        visit(Field("most").notNegative(), &MemorySample::most);
        visit(Field("most_of_sum").notNegative(), &MemorySample::mostOfSum);
        visit(Field("highest").notNegative(), &MemorySample::highest);
        visit(Field("resident_bytes").notNegative().storedAs("resident"), &MemorySample::residentBytes);
        visit(Field("highest_resident_bytes").notNegative().storedAs("highest_resident"),
            &MemorySample::highestResidentBytes);
        visit(Field("planned").notNegative(), &MemorySample::planned);
        visit(Field("planned_highest").notNegative(), &MemorySample::plannedHighest);
    }
    bool operator==(const MemorySample&) const = default;
};

} // namespace lockstep::wire
