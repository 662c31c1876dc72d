// A device's time line without a device: its marks are reached some time after they were queued, and later than the host
// comes to look.
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
    explicit LateMarks(std::int64_t workNs)
        : m_workNs(workNs)
    { }

    Mark mark() override
    {
        const std::int64_t free = m_times.empty() ? 0 : m_times.back();
        m_times.push_back(std::max(monotonicNs(), free) + m_workNs);
        m_mostPending = std::max(m_mostPending, static_cast<std::int64_t>(m_times.size()) - 1 - m_letGo);
        return static_cast<Mark>(m_times.size()) - 1;
    }
    bool isReached(Mark mark) override { return monotonicNs() >= m_times.at(static_cast<std::size_t>(mark)); }
    std::int64_t timeNs(Mark mark) override
    {
        m_wasAskedEarly = m_wasAskedEarly || !isReached(mark) || mark <= m_letGo;
        return m_times.at(static_cast<std::size_t>(mark));
    }
    void letGo(Mark mark) override { m_letGo = std::max(m_letGo, mark); }

    /// Whether a time was asked for that a device could not have told.
    [[nodiscard]] bool wasAskedEarly() const { return m_wasAskedEarly; }
    [[nodiscard]] std::int64_t mostPending() const { return m_mostPending; }

private:
    std::int64_t m_workNs;
    std::vector<std::int64_t> m_times;
    Mark m_letGo = -1;
    std::int64_t m_mostPending = 0;
    bool m_wasAskedEarly = false;
};

} // namespace lockstep::tests
