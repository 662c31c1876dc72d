// Puts the times of a run's ranks on one clock. What ranks send, and what a run's file keeps, has each rank's own time;
// whoever reads it moves it onto rank 0's as the hosts measured their clocks.
#pragma once

#include "analysis/timing/rank_clocks.h"
#include "store/account/delta.h"

#include <cstdint>
#include <type_traits>

namespace lockstep::store {

/// Calls `move` for each time of CLOCK_MONOTONIC in a message, or in a row of one, that is set.
template <typename T, typename Move>
void eachTime(T& part, const Move& move)
{
    const auto unlessUnset = [&move](std::int64_t& time) {
        if (time != 0) {
            move(time);
        }
    };
    if constexpr (std::is_same_v<T, wire::ClockSample>) {
        return; // it says how far the clocks are apart
    }
    if constexpr (requires { part.startNs; }) {
        unlessUnset(part.startNs);
    }
    if constexpr (requires { part.endNs; }) {
        unlessUnset(part.endNs);
    }
    if constexpr (requires { part.timeNs; }) {
        unlessUnset(part.timeNs);
    }
    if constexpr (requires { part.arrivalNs; }) {
        unlessUnset(part.arrivalNs);
    }
    if constexpr (requires { part.enteredNs; }) {
        unlessUnset(part.enteredNs);
        unlessUnset(part.waitedNs);
        unlessUnset(part.leftNs);
    }
    if constexpr (requires { part.rows; }) {
        for (auto& row : part.rows) {
            eachTime(row, move);
        }
    }
}

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

} // namespace lockstep::store
