// A stored run ordered by time, for a replay: what its ranks had sent by any moment, and the moments at which steps and
// messages ended. Any thread once it is complete.
#pragma once

#include "store/account/delta.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::store {

class ReplayedRun {
public:
    /// In the order of the run's file. What has no time is placed by the entries received before it and, if
    /// it follows from them as a rank's end does, by those received with it.
    void add(DeltaPtr delta);
    /// Once, after the last add().
    void complete();

    /// CLOCK_MONOTONIC: the begin of the first step, without a step the first time.
    [[nodiscard]] std::int64_t beginNs() const { return m_beginNs; }
    [[nodiscard]] std::int64_t endNs() const { return m_endNs; }
    /// What belongs after `afterNs` and not after `toNs`; null: nothing. From the lowest to the highest number it is
    /// the whole run.
    [[nodiscard]] DeltaPtr between(std::int64_t afterNs, std::int64_t toNs) const;
    /// Ascending: when each step had ended on the last of its ranks.
    [[nodiscard]] const std::vector<std::int64_t>& stepEndsNs() const { return m_stepEndsNs; }
    /// Ascending: when each recorded message between ranks had ended.
    [[nodiscard]] const std::vector<std::int64_t>& messageEndsNs() const { return m_messageEndsNs; }

private:
    struct Part {
        DeltaPtr delta;
        std::int64_t beforeNs = 0; ///< the latest time received before it
        std::int64_t receivedNs = 0; ///< and with it
        std::int64_t firstNs = 0; ///< of its entries
    };

    [[nodiscard]] std::int64_t firstTime() const;
    void placeSteps();

    std::vector<Part> m_parts;
    std::vector<std::int64_t> m_firstFromHereNs; ///< of each part and those after it
    std::vector<std::int64_t> m_stepEndsNs;
    std::vector<std::int64_t> m_messageEndsNs;
    std::int64_t m_beginNs = 0;
    std::int64_t m_endNs = 0;
};

using ReplayedRunPtr = std::shared_ptr<const ReplayedRun>;

} // namespace lockstep::store
