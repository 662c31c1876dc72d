// The clocks of a run's ranks: each host measured its own against one clock of them all; here they are compared with
// rank 0's.
#pragma once

#include "analysis/run_record.h"
#include "base/clock_offset.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lockstep::analysis {

class RankClocks {
public:
    /// `ranks` read one clock; the clock of all is ahead of it by the reading, the shortest of that many trips. 0
    /// trips: it is the clock of all. Ignores what no host can have measured.
    void add(const std::vector<std::int64_t>& ranks, const ClockReading& reading, std::int64_t trips);

    /// Whether times of a rank must be moved to be on rank 0's clock.
    [[nodiscard]] bool isNeeded() const;
    /// By how much rank 0's clock is ahead of the rank's, when that shows `ownNs`; nothing where either was not
    /// measured.
    [[nodiscard]] std::optional<ClockReading> at(std::int32_t rank, std::int64_t ownNs) const;
    /// Whether both are known to read one clock.
    [[nodiscard]] bool shareClock(std::int32_t one, std::int32_t other) const;
    /// Of the clocks that are not rank 0's, by their first ranks; without the hosts' names.
    [[nodiscard]] std::vector<HostClock> others() const;

private:
    struct Clock {
        std::vector<std::int32_t> ranks;
        ClockOffset offset;
        bool isOfAll = false;

        /// Of the clock of all less this one.
        [[nodiscard]] ClockReading at(std::int64_t ns) const;
    };

    [[nodiscard]] const Clock* clockOf(std::int32_t rank) const;

    std::map<std::int32_t, Clock> m_clocks; ///< by their first ranks
    std::map<std::int32_t, std::int32_t> m_firsts; ///< of each rank's clock
};

} // namespace lockstep::analysis
