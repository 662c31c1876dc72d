// A rank's account of its memory: live bytes by kind, and their peaks.
//
// A replacement for LibTorch's CPU allocator books every tensor's bytes, when they are allocated and freed, on the
// account of the allocating thread, under the kind set by a MemoryScope on that thread. Autograd's backward over CPU
// tensors runs on the thread that calls it, so its temporaries are booked there as well. Tensors keep their account and
// kind wherever and whenever they are freed; a storage that is resized is counted again under the current kind. Other
// memory (shared between ranks) is booked by hand: ForeignMemory.
//
// Not counted: what libraries allocate by themselves (BLAS buffers, oneDNN scratch, sockets, autograd's nodes).
#pragma once

#include "base/memory_kind.h"
#include "base/result.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep::engine {

/// Thrown by an allocation that would go beyond the account's limit, `rank.memory_mb`.
class MemoryLimitReached : public std::runtime_error {
public:
    explicit MemoryLimitReached(Error error)
        : std::runtime_error(error.message)
        , m_error(std::move(error))
    { }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
};

/// `2.66`
[[nodiscard]] std::string megabytes(std::int64_t bytes);
/// `parameters 2.66, data 31.4`, in MB, those that are not 0.
[[nodiscard]] std::string kindsText(const MemoryBytes& bytes);

struct MemoryBooks;

class MemoryAccount {
public:
    /// The first one installs the counting allocator permanently. `limitBytes`: of all kinds together; 0: none.
    explicit MemoryAccount(std::int64_t limitBytes = 0);
    /// Tensors that are still alive stay booked until they are freed.
    ~MemoryAccount();
    MemoryAccount(const MemoryAccount&) = delete;
    MemoryAccount& operator=(const MemoryAccount&) = delete;

    /// Live bytes now. Any thread.
    [[nodiscard]] MemoryBytes live() const;

    /// Restarts peaks() from what is allocated now.
    void restartPeaks();
    /// Peaks of each kind, not all at the same time, and of the sum, since restartPeaks().
    [[nodiscard]] MemoryBytes peaks() const;
    [[nodiscard]] std::int64_t peak() const;
    /// Of the sum, since the account was opened.
    [[nodiscard]] std::int64_t highest() const;

    /// While it lives, this thread's allocations go to `account`; null: to none.
    class Use {
    public:
        explicit Use(MemoryAccount* account);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        MemoryAccount* m_before;
    };
    /// This thread's account, or null. Pass it to a helper thread, which opens a separate Use.
    [[nodiscard]] static MemoryAccount* current();

private:
    friend class ForeignMemory;
    MemoryBooks* m_books; ///< outlives this while blocks are booked in it
};

/// While it lives, this thread's allocations are of this kind; scopes nest. Costs two stores.
class MemoryScope {
public:
    explicit MemoryScope(MemoryKind kind);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

    /// Of this thread now; Other outside of every scope.
    [[nodiscard]] static MemoryKind current();

private:
    MemoryKind m_before;
};

/// Bytes that do not come from LibTorch's allocator, booked on this thread's account while it lives. Memory that ranks
/// share counts for each that uses it, as in their resident memory.
class ForeignMemory {
public:
    ForeignMemory() = default;
    /// Throws MemoryLimitReached.
    ForeignMemory(MemoryKind kind, std::int64_t bytes);
    ~ForeignMemory();
    ForeignMemory(ForeignMemory&& other) noexcept { *this = std::move(other); }
    ForeignMemory& operator=(ForeignMemory&& other) noexcept;
    ForeignMemory(const ForeignMemory&) = delete;
    ForeignMemory& operator=(const ForeignMemory&) = delete;

    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

private:
    MemoryBooks* m_books = nullptr;
    MemoryKind m_kind = MemoryKind::Other;
    std::int64_t m_bytes = 0;
};

} // namespace lockstep::engine
