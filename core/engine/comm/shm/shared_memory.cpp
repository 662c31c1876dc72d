#include "engine/comm/shm/shared_memory.h"

#include "engine/comm/shared_file.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::comm {

namespace {

constexpr std::size_t PageBytes = 4096;

std::size_t strideOf(std::size_t bytes)
{
    // One page more, so that the same offsets of different ranks do not map to the same cache lines.
    return (bytes + PageBytes - 1) / PageBytes * PageBytes + PageBytes;
}

std::size_t bytesFor(int ranks, std::size_t bytes)
{
    return PageBytes + static_cast<std::size_t>(ranks + 2) * strideOf(bytes);
}

/// Small enough that all cores have something to do, large enough that claiming costs nothing.
constexpr std::size_t PartBytes = 16u << 10;

} // namespace

Result<Descriptor> SharedMemory::makeFile(int ranks, std::size_t bytes)
{
    Descriptor file(memfd_create("lockstep-array", MFD_CLOEXEC));
    if (!file.isOpen() || ftruncate(file.number(), static_cast<off_t>(bytesFor(ranks, bytes))) != 0) {
        return failure(LS_TR("Messages", "shared memory for %1 bytes per rank: %2"), {bytes, systemError()});
    }
    return file;
}

Result<std::shared_ptr<SharedMemory>> SharedMemory::open(const Descriptor& file, int rank, int ranks, std::size_t bytes)
{
    LOCKSTEP_TRY_ASSIGN(void* const memory, mapSharedFile(file, bytesFor(ranks, bytes)));
    return std::shared_ptr<SharedMemory>(new SharedMemory(static_cast<std::byte*>(memory), rank, ranks, bytes));
}

SharedMemory::SharedMemory(std::byte* memory, int rank, int ranks, std::size_t bytes)
    : m_memory(memory)
    , m_rank(rank)
    , m_ranks(ranks)
    , m_bytes(bytes)
    , m_stride(strideOf(bytes))
    , m_parts(static_cast<int>(std::max<std::size_t>(1, bytes / PartBytes)))
{ }

/// Counters that only grow (and wrap around); the memory is zeroed at first.
struct SharedMemory::Header {
    alignas(64) std::atomic<std::uint32_t> claimed;
    alignas(64) std::atomic<std::uint32_t> finished;
};

SharedMemory::Header& SharedMemory::header() const
{
    return *reinterpret_cast<Header*>(m_memory);
}

std::byte* SharedMemory::at(int place) const
{
    return m_memory + PageBytes + static_cast<std::size_t>(place) * m_stride;
}

void SharedMemory::begin()
{
    m_turn ^= 1;
    m_target += static_cast<std::uint32_t>(m_parts);
}

int SharedMemory::claimPart()
{
    std::atomic<std::uint32_t>& claimed = header().claimed;
    std::uint32_t next = claimed.load();
    // A rank that comes late finds the target passed by the next all-reduce's claims: nothing is left for it either.
    while (m_target - next - 1 < static_cast<std::uint32_t>(m_parts)) {
        if (claimed.compare_exchange_weak(next, next + 1)) {
            return static_cast<int>(next + static_cast<std::uint32_t>(m_parts) - m_target);
        }
    }
    return -1;
}

bool SharedMemory::finishPart()
{
    return header().finished.fetch_add(1) + 1 == m_target;
}

bool SharedMemory::isDone() const
{
    return static_cast<std::int32_t>(header().finished.load() - m_target) >= 0;
}

SharedMemory::~SharedMemory()
{
    munmap(m_memory, bytesFor(m_ranks, m_bytes));
}

} // namespace lockstep::comm
