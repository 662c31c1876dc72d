#include "engine/comm/link/call_record.h"

#include "engine/comm/shared_file.h"

#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace lockstep::comm {

namespace {

constexpr auto Relaxed = std::memory_order_relaxed;

} // namespace

/// Zeroed memory is an empty row. `place` is 0 while the row is being written.
struct CallRecord::Row {
    std::atomic<std::int64_t> place;
    std::atomic<Call> call;
    std::atomic<std::int32_t> peer;
    std::atomic<std::int64_t> step;
    std::atomic<std::int64_t> number;
    std::atomic<std::int32_t> group;
    std::atomic<std::uint64_t> members;
    std::atomic<std::int64_t> bytes;
    std::atomic<std::int64_t> enteredNs;
    std::atomic<std::int64_t> waitedNs;
    std::atomic<std::int64_t> leftNs;
};

struct alignas(64) CallRecord::OfRank {
    std::atomic<std::int64_t> last; ///< place given out
    std::atomic<std::int64_t> step;
    std::array<Row, static_cast<std::size_t>(Kept)> rows;

    Row& at(std::int64_t place) { return rows[static_cast<std::size_t>(place % Kept)]; }
};

struct alignas(64) CallRecord::Table {
    std::atomic<std::int32_t> isClaimed;
};

std::size_t CallRecord::bytesFor(int ranks)
{
    return sizeof(Table) + sizeof(OfRank) * static_cast<std::size_t>(ranks);
}

Result<Descriptor> CallRecord::makeFile(int ranks)
{
    return makeSharedFile("lockstep-calls", bytesFor(ranks));
}

Result<std::shared_ptr<CallRecord>> CallRecord::open(const Descriptor& file, int ranks)
{
    LOCKSTEP_TRY_ASSIGN(void* const memory, mapSharedFile(file, bytesFor(ranks)));
    return std::shared_ptr<CallRecord>(new CallRecord(static_cast<Table*>(memory), bytesFor(ranks), ranks));
}

CallRecord::CallRecord(Table* table, std::size_t bytes, int ranks)
    : m_table(table)
    , m_bytes(bytes)
    , m_ranks(ranks)
{ }

CallRecord::~CallRecord()
{
    munmap(m_table, m_bytes);
}

CallRecord::OfRank& CallRecord::rowsOf(int rank) const
{
    auto* first = reinterpret_cast<std::byte*>(m_table) + sizeof(Table);
    return *std::launder(reinterpret_cast<OfRank*>(first) + rank);
}

std::int64_t CallRecord::reserve(int rank, int calls)
{
    return rowsOf(rank).last.fetch_add(calls, Relaxed) + 1;
}

void CallRecord::enter(int rank, std::int64_t place, const Entry& entry)
{
    OfRank& own = rowsOf(rank);
    Row& row = own.at(place);
    row.place.store(0, Relaxed);
    std::atomic_thread_fence(std::memory_order_release); // a reader that sees a new value sees place 0
    row.call.store(entry.call, Relaxed);
    row.peer.store(entry.peer, Relaxed);
    row.step.store(own.step.load(Relaxed), Relaxed);
    row.number.store(entry.number, Relaxed);
    row.group.store(entry.group, Relaxed);
    row.members.store(entry.members, Relaxed);
    row.bytes.store(entry.bytes, Relaxed);
    row.enteredNs.store(entry.enteredNs, Relaxed);
    row.waitedNs.store(entry.waitedNs, Relaxed);
    row.leftNs.store(0, Relaxed);
    row.place.store(place, std::memory_order_release);
}

void CallRecord::wait(int rank, std::int64_t place, std::int64_t ns)
{
    Row& row = rowsOf(rank).at(place);
    if (row.place.load(Relaxed) == place) {
        row.waitedNs.store(ns, Relaxed);
    }
}

void CallRecord::leave(int rank, std::int64_t place, std::int64_t ns)
{
    Row& row = rowsOf(rank).at(place);
    if (row.place.load(Relaxed) == place) { // else later calls have taken the row
        row.leftNs.store(ns, Relaxed);
    }
}

void CallRecord::setStep(int rank, std::int64_t step)
{
    rowsOf(rank).step.store(step, Relaxed);
}

std::vector<CallRecord::Entry> CallRecord::of(int rank) const
{
    OfRank& theirs = rowsOf(rank);
    const std::int64_t last = theirs.last.load(std::memory_order_acquire);
    std::vector<Entry> entries;
    for (std::int64_t place = last > Kept ? last - Kept + 1 : 1; place <= last; ++place) {
        Row& row = theirs.at(place);
        if (row.place.load(std::memory_order_acquire) != place) {
            continue;
        }
        const Entry entry{row.call.load(Relaxed), row.step.load(Relaxed), row.number.load(Relaxed),
            row.group.load(Relaxed), row.members.load(Relaxed), row.peer.load(Relaxed), row.bytes.load(Relaxed),
            row.enteredNs.load(Relaxed), row.waitedNs.load(Relaxed), row.leftNs.load(Relaxed)};
        std::atomic_thread_fence(std::memory_order_acquire);
        if (row.place.load(Relaxed) == place) {
            entries.push_back(entry);
        }
    }
    return entries;
}

bool CallRecord::claim()
{
    return m_table->isClaimed.exchange(1) == 0;
}

} // namespace lockstep::comm
