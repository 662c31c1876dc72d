// Puts the times of a run's ranks on one clock. What ranks send, and what a run's file keeps, has each rank's own time;
// readers convert it to rank 0's clock with the measured offsets.
#pragma once

#include "analysis/timing/rank_clocks.h"
#include "store/account/delta.h"

#include <cstdint>

namespace lockstep::store {

class ClockCorrection {
public:
    /// Takes the measurements of the clocks from it. The more there are, the better earlier times are known.
    void learn(const Delta& delta);
    void learn(const wire::ClockSample& sample);
    [[nodiscard]] const analysis::RankClocks& clocks() const { return m_clocks; }

    [[nodiscard]] bool isNeeded() const { return m_clocks.isNeeded(); }
    /// Moves the times of all ranks onto rank 0's clock. Those of a rank whose clock was not measured stay.
    void apply(Delta& delta) const;
    /// The same for a Delta that is not to be changed.
    [[nodiscard]] Delta applied(const Delta& delta) const;

private:
    analysis::RankClocks m_clocks;
};

/// Moves every time in the message, and in its rows, by `ns`: of another host's CLOCK_MONOTONIC, to this machine's or
/// to that of the first rank's host. What has no time (0) stays.
[[nodiscard]] wire::Message withShiftedTimes(wire::Message message, std::int64_t ns);

} // namespace lockstep::store
