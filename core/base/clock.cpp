#include "base/clock.h"

#include <ctime>

namespace lockstep {

namespace {

std::int64_t read(clockid_t clock)
{
    std::timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

} // namespace

std::int64_t monotonicNs()
{
    return read(CLOCK_MONOTONIC);
}

std::int64_t wallNs()
{
    return read(CLOCK_REALTIME);
}

std::int64_t threadProcessorNs()
{
    return read(CLOCK_THREAD_CPUTIME_ID);
}

std::int64_t processProcessorNs()
{
    return read(CLOCK_PROCESS_CPUTIME_ID);
}

} // namespace lockstep
