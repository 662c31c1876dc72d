// What a host has reported of itself, how its clocks differ from this machine's, and what speaks against ranks on it.
#pragma once

#include "base/result.h"

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

struct HostFacts {
    std::string version{};
    std::int64_t protocol = 0;
    std::string libtorch{};
    std::string host{}; ///< as it calls itself
    std::int64_t cores = 0;
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    std::vector<std::string> gpus{};
    std::string address{}; ///< at which ssh came there; empty: unknown
    std::uint16_t port = 0; ///< was free on it
};

[[nodiscard]] Result<HostFacts> readHostFacts(const QByteArray& json);

/// From round trips: the shortest gives the clocks.
class HostClock {
public:
    struct RoundTrip {
        std::int64_t sentNs = 0; ///< CLOCK_MONOTONIC here
        std::int64_t backNs = 0; ///< the same
        std::int64_t thereNs = 0; ///< CLOCK_MONOTONIC there
        std::int64_t wallThereNs = 0;
        std::int64_t wallOffsetNs = 0; ///< here: CLOCK_REALTIME less CLOCK_MONOTONIC
    };
    void add(const RoundTrip& trip);

    [[nodiscard]] std::size_t count() const { return m_tripsNs.size(); }
    /// From its CLOCK_MONOTONIC to ours.
    [[nodiscard]] std::int64_t shiftNs() const { return m_shiftNs; }
    /// How far its wall clock is ahead of ours.
    [[nodiscard]] std::int64_t aheadNs() const { return m_aheadNs; }
    /// Half the shortest round trip: the clocks are known no better.
    [[nodiscard]] std::int64_t errorNs() const { return m_shortestNs / 2; }
    [[nodiscard]] std::int64_t medianTripNs() const;

private:
    std::vector<std::int64_t> m_tripsNs; ///< the first ones
    std::int64_t m_shortestNs = 0;
    std::int64_t m_shiftNs = 0;
    std::int64_t m_aheadNs = 0;
};

/// One line that names the host, if ranks cannot run there: another version, too little memory for `neededBytes`, a
/// wall clock that is far from this machine's.
[[nodiscard]] std::optional<Text> whyNotOnHost(
    const std::string& name, const HostFacts& facts, const HostClock& clock, std::int64_t neededBytes);

} // namespace lockstep::launch
