#include "engine/comm/shm/waiting.h"

#include "base/allowed_cores.h"

#include <algorithm>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lockstep::comm {

namespace {

using std::chrono::microseconds;

constexpr microseconds SpinFor{20};
constexpr microseconds YieldFor{500};
constexpr microseconds SpinForWhatComesSoon{500};

/// Read when the program starts: later a rank may be bound to some of them.
const int CoresBeforeBinding = std::max(1, static_cast<int>(coresOfThisThread().size()));

/// Hints to the processor that this is a spin loop.
void relax()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

void sleepWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds limit)
{
    static_assert(sizeof(word) == sizeof(std::uint32_t));
    const timespec time{
        static_cast<time_t>(limit.count() / 1'000'000'000), static_cast<long>(limit.count() % 1'000'000'000)};
    syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

void wakeAll(const std::atomic<std::uint32_t>& word)
{
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Spin::Spin(int ranks, Awaited awaited)
{
    // Also with a core for each rank: the kernel wakes a rank on its waker's core, and moves it away only later.
    m_yields = ranks > CoresBeforeBinding || awaited == Awaited::Soon;
    m_end = std::chrono::steady_clock::now()
        + (awaited == Awaited::Soon ? SpinForWhatComesSoon
                : m_yields          ? YieldFor
                                    : SpinFor);
}

bool Spin::turn()
{
    if (m_yields) {
        sched_yield();
    } else {
        relax();
    }
    return std::chrono::steady_clock::now() < m_end;
}

} // namespace lockstep::comm
