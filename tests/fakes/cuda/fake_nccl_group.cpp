#include "fakes/cuda/fake_nccl_group.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::tests::nccl {

namespace {

struct Groups {
    std::atomic<std::uint64_t> numbers;
    std::array<Group, 32> group;
};

/// Before main, as the machine's page is.
Groups* const TheGroups = [] {
    void* memory
        = mmap(nullptr, sizeof(Groups), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        std::abort();
    }
    return static_cast<Groups*>(memory);
}();

bool isInUse(const Group& group)
{
    return gpu::isAlive(group.owner)
        || std::any_of(group.members.begin(), group.members.end(),
            [](const Group::Member& member) { return gpu::isAlive(member.pid); });
}

} // namespace

Group& Group::claim(std::uint64_t* number)
{
    for (Group& group : TheGroups->group) {
        int owner = group.owner;
        if (!isInUse(group) && group.owner.compare_exchange_strong(owner, getpid())) {
            for (Member& member : group.members) {
                member.pid = 0;
            }
            for (auto& row : group.pipes) {
                for (Pipe& pipe : row) {
                    pipe.written = 0;
                    pipe.read = 0;
                }
            }
            group.arrived = 0;
            *number = TheGroups->numbers.fetch_add(1) + 1;
            group.number = *number;
            return group;
        }
    }
    std::abort();
}

Group* Group::find(std::uint64_t number)
{
    for (Group& group : TheGroups->group) {
        if (group.number == number && number != 0) {
            return &group;
        }
    }
    return nullptr;
}

void Exchange::wait(const std::function<bool()>& isSo) const
{
    while (!isSo()) {
        if (m_isAborted) {
            throw Aborted();
        }
        gpu::pause();
    }
}

void Exchange::meet()
{
    const std::uint32_t generation = m_group.generation;
    if (m_group.arrived.fetch_add(1) + 1 == static_cast<std::uint32_t>(m_size)) {
        m_group.arrived = 0;
        m_group.generation = generation + 1;
        return;
    }
    wait([&] { return m_group.generation != generation; });
}

void Exchange::begin(const Signature& mine)
{
    const auto all = std::span(m_group.members).first(static_cast<std::size_t>(m_size));
    all[static_cast<std::size_t>(m_rank)].signatures[m_parity] = mine;
    meet();
    if (std::any_of(
            all.begin(), all.end(), [&](const Group::Member& member) { return member.signatures[m_parity] != mine; })) {
        std::fprintf(stderr, "fake NCCL, rank %d: the ranks do not call the same, which is never over\n", m_rank);
        wait([] { return false; });
    }
    m_parity ^= 1;
}

void Exchange::gather(std::size_t bytes, const std::byte* mine,
    const std::function<void(std::size_t, std::size_t, const std::array<const void*, MostRanks>&)>& take)
{
    for (std::size_t begin = 0; begin < bytes; begin += Chunk) {
        const std::size_t size = std::min(Chunk, bytes - begin);
        std::array<const void*, MostRanks> slots{};
        for (std::size_t r = 0; r < static_cast<std::size_t>(m_size); ++r) {
            slots[r] = m_group.slots[r][m_parity].data();
        }
        if (mine != nullptr) {
            std::memcpy(m_group.slots[static_cast<std::size_t>(m_rank)][m_parity].data(), mine + begin, size);
        }
        meet();
        take(begin, size, slots);
        m_parity ^= 1;
    }
}

bool Exchange::send(Message& message)
{
    Pipe& pipe = m_group.pipes[static_cast<std::size_t>(m_rank)][static_cast<std::size_t>(message.peer)];
    if (!message.isAnnounced) {
        if (pipe.written != pipe.read) {
            return false;
        }
        const std::uint64_t length = message.bytes;
        std::memcpy(pipe.bytes.data(), &length, sizeof(length));
        pipe.written += 1;
        message.isAnnounced = true;
        return false;
    }
    if (pipe.written != pipe.read) { // one chunk at a time, also the last
        return false;
    }
    const std::size_t size = std::min(Chunk, message.bytes - message.done);
    if (size > 0) {
        std::memcpy(pipe.bytes.data(), message.memory + message.done, size);
        message.done += size;
        pipe.written += 1;
    }
    return size == 0;
}

bool Exchange::receive(Message& message)
{
    Pipe& pipe = m_group.pipes[static_cast<std::size_t>(message.peer)][static_cast<std::size_t>(m_rank)];
    if (pipe.written == pipe.read) {
        return message.isAnnounced && message.done == message.bytes;
    }
    if (!message.isAnnounced) {
        std::uint64_t length = 0;
        std::memcpy(&length, pipe.bytes.data(), sizeof(length));
        if (length != message.bytes) {
            std::fprintf(stderr, "fake NCCL, rank %d: a message of another length, which is never over\n", m_rank);
            wait([] { return false; });
        }
        message.isAnnounced = true;
    } else {
        const std::size_t size = std::min(Chunk, message.bytes - message.done);
        std::memcpy(message.memory + message.done, pipe.bytes.data(), size);
        message.done += size;
    }
    pipe.read += 1;
    return message.done == message.bytes;
}

void Exchange::exchange(std::vector<Message> sends, std::vector<Message> receives)
{
    // Between the same two ranks, only the first of each kind is under way.
    const auto advance = [](std::vector<Message>& messages, const auto& step) {
        std::array<bool, MostRanks> isBusy{};
        std::erase_if(messages, [&](Message& message) {
            bool& busy = isBusy.at(static_cast<std::size_t>(message.peer));
            const bool isOver = !busy && step(message);
            busy = busy || !isOver;
            return isOver;
        });
    };
    wait([&] {
        // More than one look before a pause: a step moves one chunk.
        for (int i = 0; i < 16; ++i) {
            advance(sends, [this](Message& message) { return send(message); });
            advance(receives, [this](Message& message) { return receive(message); });
        }
        return sends.empty() && receives.empty();
    });
}

} // namespace lockstep::tests::nccl
