#include "engine/memory/memory_account.h"

#include "base/translate.h"
#include "engine/memory/memory_books.h"
#include "experiment/settings.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

thread_local MemoryAccount* t_account = nullptr;
thread_local MemoryBooks* t_books = nullptr;
thread_local MemoryKind t_kind = MemoryKind::Other;

constexpr auto Relaxed = std::memory_order_relaxed;

void raise(std::atomic<std::int64_t>& most, std::int64_t value)
{
    std::int64_t before = most.load(Relaxed);
    while (before < value && !most.compare_exchange_weak(before, value, Relaxed)) { }
}

MemoryBytes liveOf(const MemoryBooks& books)
{
    MemoryBytes bytes{};
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        bytes[kind] = books.live[kind].load(Relaxed);
    }
    return bytes;
}

Error overLimit(const MemoryBooks& books, std::int64_t bytes)
{
    const MemoryBytes live = liveOf(books);
    std::vector<Text> arguments{verbatim(megabytes(bytes)), verbatim(megabytes(sumOf(live))),
        verbatim(megabytes(books.limit)), verbatim(kindsText(live))};
    return refusal(nameOf(&experiment::RankSettings::memoryMb),
        sumOf(live) > 0 ? LS_TR("Messages", "%1 MB more do not fit; %2 of %3 MB are in use (%4)")
                        : LS_TR("Messages", "%1 MB more do not fit; %2 of %3 MB are in use"),
        std::move(arguments));
}

} // namespace

std::string megabytes(std::int64_t bytes)
{
    return fmt::format("{:.3g}", static_cast<double>(bytes) / 1e6);
}

std::string kindsText(const MemoryBytes& bytes)
{
    std::string kinds;
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        if (bytes[kind] > 0) {
            kinds += (kinds.empty() ? "" : ", ") + std::string(MemoryKindNames[kind]) + " " + megabytes(bytes[kind]);
        }
    }
    return kinds;
}

void MemoryBooks::add(MemoryKind kind, std::int64_t bytes)
{
    const std::int64_t now = sum.fetch_add(bytes, Relaxed) + bytes;
    if (limit > 0 && now > limit) {
        sum.fetch_sub(bytes, Relaxed);
        throw MemoryLimitReached(overLimit(*this, bytes));
    }
    const auto place = static_cast<std::size_t>(kind);
    raise(mostOfSum, now);
    raise(highest, now);
    raise(most[place], live[place].fetch_add(bytes, Relaxed) + bytes);
    holders.fetch_add(1, Relaxed);
}

void MemoryBooks::remove(MemoryKind kind, std::int64_t bytes)
{
    sum.fetch_sub(bytes, Relaxed);
    live[static_cast<std::size_t>(kind)].fetch_sub(bytes, Relaxed);
    release();
}

void MemoryBooks::release()
{
    if (holders.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete this;
    }
}

MemoryBooks* booksOfThisThread()
{
    return t_books;
}

MemoryAccount::MemoryAccount(std::int64_t limitBytes)
    : m_books(new MemoryBooks(limitBytes))
{
    installCountingAllocator();
}

MemoryAccount::~MemoryAccount()
{
    m_books->release();
}

MemoryBytes MemoryAccount::live() const
{
    return liveOf(*m_books);
}

void MemoryAccount::restartPeaks()
{
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        m_books->most[kind].store(m_books->live[kind].load(Relaxed), Relaxed);
    }
    m_books->mostOfSum.store(m_books->sum.load(Relaxed), Relaxed);
}

MemoryBytes MemoryAccount::peaks() const
{
    MemoryBytes bytes{};
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        bytes[kind] = m_books->most[kind].load(Relaxed);
    }
    return bytes;
}

std::int64_t MemoryAccount::peak() const
{
    return m_books->mostOfSum.load(Relaxed);
}

std::int64_t MemoryAccount::highest() const
{
    return m_books->highest.load(Relaxed);
}

MemoryAccount* MemoryAccount::current()
{
    return t_account;
}

MemoryAccount::Use::Use(MemoryAccount* account)
    : m_before(t_account)
{
    t_account = account;
    t_books = account == nullptr ? nullptr : account->m_books;
}

MemoryAccount::Use::~Use()
{
    t_account = m_before;
    t_books = m_before == nullptr ? nullptr : m_before->m_books;
}

MemoryScope::MemoryScope(MemoryKind kind)
    : m_before(std::exchange(t_kind, kind))
{ }

MemoryScope::~MemoryScope()
{
    t_kind = m_before;
}

MemoryKind MemoryScope::current()
{
    return t_kind;
}

ForeignMemory::ForeignMemory(MemoryKind kind, std::int64_t bytes)
    : m_books(t_books)
    , m_kind(kind)
    , m_bytes(bytes)
{
    if (m_books != nullptr) {
        m_books->add(kind, bytes);
    }
}

ForeignMemory::~ForeignMemory()
{
    if (m_books != nullptr) {
        m_books->remove(m_kind, m_bytes);
    }
}

ForeignMemory& ForeignMemory::operator=(ForeignMemory&& other) noexcept
{
    std::swap(m_books, other.m_books);
    std::swap(m_kind, other.m_kind);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

} // namespace lockstep::engine
