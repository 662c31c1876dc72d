#include "engine/comm/shm/region.h"

#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

Error regionFailure(const char* what)
{
    return failure(LS_TR("Messages", "shared memory: %1: %2"), {verbatim(what), systemError()});
}

} // namespace

Region::Region(int descriptor, std::byte* memory, std::size_t bytes)
    : m_descriptor(descriptor)
    , m_memory(memory)
    , m_bytes(bytes)
{ }

Region::~Region()
{
    munmap(m_memory, m_bytes);
    close(m_descriptor);
}

Result<std::unique_ptr<Region>> Region::create(int ranks)
{
    if (ranks < 1 || ranks > MaxRanks) {
        return failure(LS_TR("Messages", "shared memory: %1 ranks; use 1 to %2"), {ranks, MaxRanks});
    }
    const int descriptor = memfd_create("lockstep", MFD_CLOEXEC);
    if (descriptor < 0) {
        return regionFailure("memfd_create");
    }
    if (ftruncate(descriptor, static_cast<off_t>(bytesFor(static_cast<std::size_t>(ranks)))) != 0) {
        const Error error = regionFailure("ftruncate");
        close(descriptor);
        return error;
    }
    auto region = open(descriptor);
    if (region) {
        (*region)->header().size = ranks;
    }
    return region;
}

Result<std::unique_ptr<Region>> Region::open(int descriptor)
{
    struct stat status { };
    if (fstat(descriptor, &status) != 0 || static_cast<std::size_t>(status.st_size) < bytesFor(1)) {
        close(descriptor);
        return failure(LS_TR("Messages", "shared memory: the other rank sent something unexpected"));
    }
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        const Error error = regionFailure("mmap");
        close(descriptor);
        return error;
    }
    return std::unique_ptr<Region>(new Region(descriptor, static_cast<std::byte*>(memory), bytes));
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
