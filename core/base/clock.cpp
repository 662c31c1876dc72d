#include "base/clock.h"

#include <condition_variable>
#include <ctime>
#include <mutex>

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

bool isStoppedWithin(const std::stop_token& stop, std::chrono::nanoseconds time)
{
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    return stopped.wait_for(lock, stop, time, [&stop] { return stop.stop_requested(); });
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
