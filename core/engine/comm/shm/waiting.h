// Waiting for another process: a short spin, because what one waits for is usually a microsecond away, then sleep in
// the kernel (futex), because there are usually more ranks than cores.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lockstep::comm {

/// Sleeps while `word` is `value`, at most `limit`. May wake for no reason.
void sleepWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds limit);
void wakeAll(const std::atomic<std::uint32_t>& word);
/// Tells the processor that this is a spin.
void relax();
/// How long a spin may take: none of it is worth while where the awaited may need this very core.
[[nodiscard]] std::chrono::nanoseconds spinFor(int ranks);

} // namespace lockstep::comm
