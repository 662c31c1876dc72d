#include "engine/comm/shm/region.h"

#include "engine/comm/shared_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

namespace lockstep::comm {

namespace {

constexpr std::size_t RegionPageBytes = 4096;

constexpr std::size_t roundUpToPage(std::size_t bytes)
{
    return (bytes + RegionPageBytes - 1) / RegionPageBytes * RegionPageBytes;
}

constexpr std::size_t RanksAt = roundUpToPage(sizeof(RegionHeader));

constexpr std::size_t slotsAt(std::size_t ranks)
{
    return roundUpToPage(RanksAt + ranks * sizeof(RankBlock));
}

constexpr std::size_t mailboxesAt(std::size_t ranks)
{
    return slotsAt(ranks) + ranks * 4 * SlotBytes;
}

constexpr std::size_t bytesFor(std::size_t ranks)
{
    return mailboxesAt(ranks) + ranks * ranks * sizeof(Mailbox);
}

} // namespace

Region::Region(std::byte* memory, std::size_t bytes)
    : m_memory(memory)
    , m_bytes(bytes)
{ }

Region::~Region()
{
    munmap(m_memory, m_bytes);
}

Result<Descriptor> Region::makeFile(int ranks)
{
    if (ranks < 1 || ranks > MaxRanks) {
        return failure(LS_TR("Messages", "shared memory: %1 ranks; use 1 to %2"), {ranks, MaxRanks});
    }
    LOCKSTEP_TRY_ASSIGN(Descriptor file, makeSharedFile("lockstep", bytesFor(static_cast<std::size_t>(ranks))));
    LOCKSTEP_TRY_ASSIGN(const auto region, open(file));
    region->header().size = ranks;
    return file;
}

Result<std::unique_ptr<Region>> Region::open(const Descriptor& file)
{
    struct stat status { };
    if (fstat(file.number(), &status) != 0 || static_cast<std::size_t>(status.st_size) < bytesFor(1)) {
        return failure(LS_TR("Messages", "shared memory: the other rank sent something unexpected"));
    }
    const auto bytes = static_cast<std::size_t>(status.st_size);
    LOCKSTEP_TRY_ASSIGN(void* const memory, mapSharedFile(file, bytes));
    return std::unique_ptr<Region>(new Region(static_cast<std::byte*>(memory), bytes));
}

RankBlock& Region::rank(int rank) const
{
    return reinterpret_cast<RankBlock*>(m_memory + RanksAt)[rank];
}

Mailbox& Region::mailbox(int from, int to) const
{
    const auto ranks = static_cast<std::size_t>(size());
    auto* first = reinterpret_cast<Mailbox*>(m_memory + mailboxesAt(ranks));
    return first[static_cast<std::size_t>(from) * ranks + static_cast<std::size_t>(to)];
}

std::byte* Region::slot(int rank, unsigned number) const
{
    return m_memory + slotsAt(static_cast<std::size_t>(size()))
        + (static_cast<std::size_t>(rank) * 4 + number) * SlotBytes;
}

} // namespace lockstep::comm
