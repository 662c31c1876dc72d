// Waits for another process: a short spin, because it usually ends within a microsecond, then sleep in the kernel
// (futex), because there are usually more ranks than cores.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lockstep::comm {

/// Sleeps while `word` is `value`, at most `limit`. May wake for no reason.
void sleepWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds limit);
void wakeAll(const std::atomic<std::uint32_t>& word);
/// How soon the awaited rank is likely to come. Any rank may be late for the first meeting of an operation; after that
/// all are in the middle of it, and waking up through the kernel would take longer than spinning.
enum class Awaited { Whenever, Soon };

/// Spins for a short while before sleeping. If the awaited rank may need this core, each turn yields it.
class Spin {
public:
    Spin(int ranks, Awaited awaited);
    /// One turn; false once it is time to sleep.
    [[nodiscard]] bool turn();

private:
    bool m_yields;
    std::chrono::steady_clock::time_point m_end;
};

} // namespace lockstep::comm
