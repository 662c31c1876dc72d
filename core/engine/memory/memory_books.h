// The counters behind an account. Private to this folder.
#pragma once

#include "base/memory_kind.h"

#include <atomic>

namespace lockstep::engine {

/// Any thread books. The last owner frees it: the account, or a block that outlives it.
struct MemoryBooks {
    explicit MemoryBooks(std::int64_t bytes)
        : limit(bytes)
    { }

    /// Throws MemoryLimitReached without booking anything.
    void add(MemoryKind kind, std::int64_t bytes);
    void remove(MemoryKind kind, std::int64_t bytes);
    void release();

    const std::int64_t limit; ///< 0: none
    std::atomic<std::int64_t> holders{1};
    std::array<std::atomic<std::int64_t>, MemoryKindCount> live{};
    std::array<std::atomic<std::int64_t>, MemoryKindCount> most{};
    std::atomic<std::int64_t> sum{0};
    std::atomic<std::int64_t> mostOfSum{0};
    std::atomic<std::int64_t> highest{0};
};

/// Of this thread; null: nothing is booked.
[[nodiscard]] MemoryBooks* booksOfThisThread();

/// Makes LibTorch's CPU tensors come from the allocator that books them. Any thread, any number of times.
void installCountingAllocator();

} // namespace lockstep::engine
