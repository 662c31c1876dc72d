#include "engine/comm/link/link.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <sys/prctl.h>

namespace lockstep::comm {

std::int64_t Link::transferNs(std::size_t bytes) const
{
    return megabitsPerSecond > 0.0 ? static_cast<std::int64_t>(static_cast<double>(bytes) * 8e3 / megabitsPerSecond)
                                   : 0;
}

Link between(const Link& a, const Link& b)
{
    const bool bothLimited = a.megabitsPerSecond > 0.0 && b.megabitsPerSecond > 0.0;
    return {std::max(a.latencyUs, b.latencyUs),
        bothLimited ? std::min(a.megabitsPerSecond, b.megabitsPerSecond)
                    : std::max(a.megabitsPerSecond, b.megabitsPerSecond)};
}

std::int64_t Ports::send(std::int64_t now, std::int64_t transferNs)
{
    const std::scoped_lock lock(m_mutex);
    m_outFreeNs = std::max(now, m_outFreeNs) + transferNs;
    return m_outFreeNs;
}

std::int64_t Ports::receive(std::int64_t readable, std::int64_t transferNs)
{
    const std::scoped_lock lock(m_mutex);
    m_inFreeNs = std::max(readable, m_inFreeNs + transferNs);
    return m_inFreeNs;
}

void sleepUntilNs(std::int64_t time)
{
    // The kernel may wake a thread up to 50 us late to save power; a link's latency can be less than that.
    thread_local const int slack = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    static_cast<void>(slack);
    const timespec until{static_cast<time_t>(time / 1'000'000'000), static_cast<long>(time % 1'000'000'000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) { }
}

} // namespace lockstep::comm
