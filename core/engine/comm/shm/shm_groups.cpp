// How ranks come together over shared memory: by a region, by a name, as parts of a group; and arrays that they share.
#include "engine/comm/shm/handout.h"
#include "engine/comm/shm/shm_ranks.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace lockstep::comm {

Result<std::unique_ptr<SharedArray>> ShmCommunicator::share(std::size_t bytes, Space space)
{
    if (space != Space::Host) {
        return std::unique_ptr<SharedArray>();
    }
    std::array<std::int64_t, 3> told{getpid(), -1, static_cast<std::int64_t>(bytes)};
    int descriptor = -1;
    if (rank() == 0) {
        const auto made = SharedMemory::createFile(size(), bytes);
        if (!made) {
            return m_meeting.breakGroup(made.error().message);
        }
        descriptor = *made;
        told[1] = descriptor;
    }
    if (auto done = Communicator::broadcast({told.data(), 3, DataType::Int64}, 0); !done) {
        return done.error();
    }
    if (static_cast<std::size_t>(told[2]) != bytes) {
        return m_meeting.breakGroup("a shared array: rank 0 wants " + std::to_string(told[2]) + " bytes, rank "
            + std::to_string(rank()) + " " + std::to_string(bytes));
    }
    if (rank() != 0) {
        const std::string path = "/proc/" + std::to_string(told[0]) + "/fd/" + std::to_string(told[1]);
        descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor < 0) {
            return m_meeting.breakGroup(
                "a shared array: rank " + std::to_string(rank()) + " cannot open " + path + ": " + std::strerror(errno));
        }
    }
    if (auto met = barrier(); !met) { // until here rank 0 keeps it open
        return met.error();
    }
    auto memory = SharedMemory::open(descriptor, size(), bytes);
    if (!memory) {
        return m_meeting.breakGroup(memory.error().message);
    }
    m_arrays.push_back(*memory);
    return arrayOf(std::move(*memory), rank());
}

Result<std::unique_ptr<Communicator>> ShmCommunicator::split(int color, int key)
{
    struct Wish {
        std::int64_t color = 0;
        std::int64_t key = 0;
        std::int64_t pid = 0;
        std::int64_t descriptor = -1; ///< of the region that the group's first rank has made
    };
    Wish wish{color, key, getpid(), -1};
    std::vector<Wish> wishes(static_cast<std::size_t>(size()));
    const auto tell = [&]() -> Result<void> {
        constexpr std::int64_t Fields = sizeof(Wish) / sizeof(std::int64_t);
        return allGather({&wish, Fields, DataType::Int64}, {wishes.data(), Fields * size(), DataType::Int64});
    };
    if (auto told = tell(); !told) {
        return told.error();
    }
    std::vector<int> members;
    for (int r = 0; r < size(); ++r) {
        if (color >= 0 && wishes[static_cast<std::size_t>(r)].color == color) {
            members.push_back(r);
        }
    }
    std::stable_sort(members.begin(), members.end(), [&](int a, int b) {
        return wishes[static_cast<std::size_t>(a)].key < wishes[static_cast<std::size_t>(b)].key;
    });
    std::unique_ptr<Region> made;
    if (!members.empty() && members.front() == rank()) {
        auto region = Region::create(static_cast<int>(members.size()));
        if (!region) {
            return m_meeting.breakGroup(region.error().message);
        }
        made = std::move(*region);
        wish.descriptor = made->descriptor();
    }
    if (auto told = tell(); !told) {
        return told.error();
    }
    Result<std::unique_ptr<Communicator>> result = std::unique_ptr<Communicator>();
    if (!members.empty()) {
        const Wish& first = wishes[static_cast<std::size_t>(members.front())];
        // Same user, and alive until the barrier below: the kernel gives us the file by its descriptor there.
        const std::string path = "/proc/" + std::to_string(first.pid) + "/fd/" + std::to_string(first.descriptor);
        const int descriptor
            = made ? fcntl(made->descriptor(), F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor < 0) {
            return m_meeting.breakGroup(
                "split: rank " + std::to_string(rank()) + " cannot open " + path + ": " + std::strerror(errno));
        }
        const auto place = std::find(members.begin(), members.end(), rank()) - members.begin();
        result = joinRegion(descriptor, static_cast<int>(place), m_options);
    }
    if (auto all = barrier(); !all) {
        return all.error();
    }
    return result;
}

Result<std::unique_ptr<Communicator>> joinRegion(int descriptor, int rank, const ShmOptions& options)
{
    auto region = Region::open(descriptor);
    if (!region) {
        return region.error();
    }
    if (rank < 0 || rank >= (*region)->size()) {
        return Error{"shared memory: rank " + std::to_string(rank) + " of " + std::to_string((*region)->size())
            + " does not exist"};
    }
    auto communicator = std::make_unique<ShmCommunicator>(std::move(*region), rank, options);
    if (auto joined = communicator->join(); !joined) {
        return joined.error();
    }
    return std::unique_ptr<Communicator>(std::move(communicator));
}

Result<std::unique_ptr<Communicator>> joinByName(const std::string& name, int rank, int size, const ShmOptions& options)
{
    const auto descriptor = shareDescriptor(name, rank, size, options.joinTimeout, [size]() -> Result<int> {
        auto region = Region::create(size);
        return region ? Result<int>(fcntl((*region)->descriptor(), F_DUPFD_CLOEXEC, 0)) : Result<int>(region.error());
    });
    return descriptor ? joinRegion(*descriptor, rank, options)
                      : Result<std::unique_ptr<Communicator>>(descriptor.error());
}

} // namespace lockstep::comm
