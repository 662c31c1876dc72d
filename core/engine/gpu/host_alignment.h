// Aligns a device's clock with the host's, without ever waiting for the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lockstep::engine {

/// The host can see a moment only after it has come. The shortest such delay is nearly zero, so the device's clock is
/// shifted by it, once per window. A moment seen before its device time means the clock is ahead, and shifts it at
/// once.
class HostAlignment {
public:
    static constexpr std::int64_t WindowNs = 1'000'000'000;

    /// Add this to the device's times so far to get the host's clock.
    [[nodiscard]] std::int64_t offsetNs() const { return m_offsetNs; }

    /// The host saw at `hostNs` that the moment `deviceNs` (with the offset) had come.
    void seen(std::int64_t deviceNs, std::int64_t hostNs)
    {
        const std::int64_t late = hostNs - deviceNs;
        if (late < 0) {
            m_offsetNs += late;
            restart(hostNs);
            return;
        }
        if (m_windowStartNs == 0) {
            m_windowStartNs = hostNs;
        }
        m_leastLateNs = std::min(m_leastLateNs, late);
        if (hostNs - m_windowStartNs >= WindowNs) {
            m_offsetNs += m_leastLateNs;
            restart(hostNs);
        }
    }

private:
    void restart(std::int64_t hostNs)
    {
        m_windowStartNs = hostNs;
        m_leastLateNs = std::numeric_limits<std::int64_t>::max();
    }

    std::int64_t m_offsetNs = 0;
    std::int64_t m_windowStartNs = 0;
    std::int64_t m_leastLateNs = std::numeric_limits<std::int64_t>::max();
};

} // namespace lockstep::engine
