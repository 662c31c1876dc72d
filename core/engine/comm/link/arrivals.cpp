#include "engine/comm/link/arrivals.h"

#include "engine/comm/shared_file.h"

#include <atomic>
#include <cstdlib>
#include <sys/mman.h>

namespace lockstep::comm {

namespace {

constexpr std::size_t RowsOfGroup = Arrivals::Kinds * static_cast<std::size_t>(Arrivals::Kept);

} // namespace

/// Zeroed memory is an empty row. Negative: the stamp of that call is being written.
struct Arrivals::Row {
    std::atomic<std::int64_t> number;
    std::atomic<std::int64_t> ns;

    static std::size_t bytesOf(int ranks)
    {
        return sizeof(Row) * RowsOfGroup * static_cast<std::size_t>(MostGroups) * static_cast<std::size_t>(ranks);
    }
};

Result<Descriptor> Arrivals::makeFile(int ranks)
{
    return makeSharedFile("lockstep-arrivals", Row::bytesOf(ranks));
}

Result<std::shared_ptr<Arrivals>> Arrivals::open(const Descriptor& file, int ranks)
{
    const std::size_t bytes = Row::bytesOf(ranks);
    LOCKSTEP_TRY_ASSIGN(void* const memory, mapSharedFile(file, bytes));
    return std::shared_ptr<Arrivals>(new Arrivals(static_cast<Row*>(memory), bytes));
}

Arrivals::Arrivals(Row* rows, std::size_t bytes)
    : m_rows(rows)
    , m_bytes(bytes)
{ }

Arrivals::~Arrivals()
{
    munmap(m_rows, m_bytes);
}

Arrivals::Row& Arrivals::row(const Place& at, Kind kind, std::int64_t number) const
{
    const std::size_t group = static_cast<std::size_t>(at.rank) * MostGroups + static_cast<std::size_t>(at.group);
    const std::size_t ofKind = (group * Kinds + static_cast<std::size_t>(kind)) * static_cast<std::size_t>(Kept);
    return m_rows[ofKind + static_cast<std::size_t>(number % Kept)];
}

void Arrivals::enter(const Place& at, Kind kind, std::int64_t number, std::int64_t ns)
{
    Row& mine = row(at, kind, number);
    mine.number.store(-number);
    mine.ns.store(ns);
    mine.number.store(number);
}

std::int64_t Arrivals::entered(const Place& at, Kind kind, std::int64_t number) const
{
    const Row& theirs = row(at, kind, number);
    const std::int64_t before = theirs.number.load();
    if (std::abs(before) < number || before == -number) {
        return NotYet;
    }
    const std::int64_t ns = theirs.ns.load();
    return before == number && theirs.number.load() == number ? ns : Forgotten;
}

} // namespace lockstep::comm
