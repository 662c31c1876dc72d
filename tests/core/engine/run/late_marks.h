// A device's time line without a device: its marks are reached some time after they were queued, and later than the
// host comes to look.
#pragma once

#include "base/clock.h"
#include "engine/gpu/device_marks.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lockstep::tests {

/// Each piece of work between two marks takes `workNs`, and begins when it is queued or when the one before it is done.
class LateMarks final : public engine::DeviceMarks {
public:
    /// What was asked of it, for when the run has freed it.
    struct Seen {
        bool wasAskedEarly = false; ///< for a time that a device could not know yet
        std::int64_t mostPending = 0;
    };

    explicit LateMarks(std::int64_t workNs, Seen* seen = nullptr)
        : m_workNs(workNs)
        , m_seen(seen != nullptr ? *seen : m_ownSeen)
    { }

    Mark mark() override
    {
        const std::int64_t free = m_times.empty() ? 0 : m_times.back();
        m_times.push_back(std::max(monotonicNs(), free) + m_workNs);
        m_seen.mostPending = std::max(m_seen.mostPending, static_cast<std::int64_t>(m_times.size()) - 1 - m_released);
        return static_cast<Mark>(m_times.size()) - 1;
    }
    bool isReached(Mark mark) override { return monotonicNs() >= m_times.at(static_cast<std::size_t>(mark)); }
    std::int64_t timeNs(Mark mark) override
    {
        m_seen.wasAskedEarly = m_seen.wasAskedEarly || !isReached(mark) || mark <= m_released;
        return m_times.at(static_cast<std::size_t>(mark));
    }
    void release(Mark mark) override { m_released = std::max(m_released, mark); }

private:
    std::int64_t m_workNs;
    Seen m_ownSeen;
    Seen& m_seen;
    std::vector<std::int64_t> m_times;
    Mark m_released = -1;
};

} // namespace lockstep::tests
