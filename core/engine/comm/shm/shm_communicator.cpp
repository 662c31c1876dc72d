#include "engine/comm/shm/shm_communicator.h"

#include "engine/comm/failures.h"
#include "engine/comm/members.h"
#include "engine/comm/reduce.h"
#include "engine/comm/shm/mailboxes.h"
#include "engine/comm/shm/share_descriptor.h"
#include "engine/comm/shm/shared_memory.h"
#include "engine/comm/shm/shm_rounds.h"
#include "engine/comm/slot_collectives.h"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <unistd.h>
#include <vector>

namespace lockstep::comm {

namespace {

/// Up to this size saving one meeting gains more than reducing the whole array on every rank costs.
constexpr std::size_t ReduceWholeBelow = 16u << 10;

struct HostCopy {
    static void copy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memmove(to, from, bytes); }
    static void reduce(Reduction reduction, DataType type, std::span<void* const> to,
        std::span<const void* const> inputs, std::int64_t count)
    {
        reduceArrays(reduction, type, to.front(), inputs, count);
        for (void* also : to.subspan(1)) {
            std::memcpy(also, to.front(), static_cast<std::size_t>(count) * sizeOf(type));
        }
    }
};

/// Opens a file of another process of this user, which keeps it open meanwhile.
Result<Descriptor> openOf(std::int64_t process, std::int64_t descriptor, const Text& purpose)
{
    const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    Descriptor opened(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    return opened.isOpen()
        ? Result<Descriptor>(std::move(opened))
        : failure(LS_TR("Messages", "%1 cannot open %2: %3"), {purpose, verbatim(path), systemError()});
}

class ShmCommunicator final : public Communicator {
public:
    ShmCommunicator(std::unique_ptr<Region> region, int rank, const ShmOptions& options)
        : Communicator(rank, region->size())
        , m_region(std::move(region))
        , m_rounds(*m_region, rank, options.timeout)
        , m_collectives(rank, size(), m_copy, m_rounds)
        , m_options(options)
    { }
    ~ShmCommunicator() override
    {
        finishStarted();
        m_region->rank(rank()).presence.store(Presence::Left);
    }

    [[nodiscard]] std::string_view backend() const override { return "shm"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    [[nodiscard]] Result<std::shared_ptr<SharedArray>> share(std::size_t bytes, Space space) override;
    void setTimeout(std::chrono::milliseconds timeout) override { meeting().setTimeout(timeout); }
    [[nodiscard]] Result<void> checkPeers() override { return meeting().look(); }
    [[nodiscard]] Text deadPeer() override { return meeting().whoHasDied(); }
    void abort() override { fail(leftTheGroup(rank())); }

    [[nodiscard]] ShmRounds& rounds() { return m_rounds; }
    [[nodiscard]] Meeting& meeting() { return m_rounds.meeting(); }

protected:
    Result<void> execute(const Operation& op, OperationTimes& times) override;

private:
    Error fail(const Text& reason) { return meeting().breakGroup(reason); }
    Result<void> allReduceShared(const Operation& op, SharedMemory& memory);
    /// Index of the shared array that an all-reduce is about, or -1.
    [[nodiscard]] std::int32_t sharedArrayOf(const Operation& op) const;

    std::unique_ptr<Region> m_region;
    ShmRounds m_rounds;
    HostCopy m_copy;
    SlotCollectives<HostCopy, ShmRounds> m_collectives;
    ShmOptions m_options;
    std::vector<std::weak_ptr<SharedMemory>> m_arrays; ///< in the order of creation, which is the same on every rank
};

Result<void> ShmCommunicator::execute(const Operation& op, OperationTimes& times)
{
    const std::int32_t array = sharedArrayOf(op);
    auto done = m_rounds.begin(op, times, {array});
    if (done) {
        done = op.what == Collective::SendReceive ? exchange(*m_region, meeting(), rank(), op)
            : array >= 0 ? allReduceShared(op, *m_arrays[static_cast<std::size_t>(array)].lock())
                         : m_collectives.run(op, ReduceWholeBelow);
    }
    m_rounds.end();
    return done;
}

std::int32_t ShmCommunicator::sharedArrayOf(const Operation& op) const
{
    for (std::size_t i = 0; i < m_arrays.size() && op.what == Collective::AllReduce; ++i) {
        const auto memory = m_arrays[i].lock();
        if (memory && op.in.data == memory->of(rank()) && op.in.byteCount() <= memory->bytes()) {
            return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

/// The ranks reduce part after part straight from each other's memory into the common result: nothing is copied on the
/// way. No rank writes its memory before the next meeting, so none is overwritten while it is read.
Result<void> ShmCommunicator::allReduceShared(const Operation& op, SharedMemory& memory)
{
    LOCKSTEP_TRY(m_rounds.meet(op));
    memory.begin();
    const std::size_t element = sizeOf(op.in.type);
    const auto elements = static_cast<std::size_t>(op.in.count);
    const auto parts = static_cast<std::size_t>(memory.parts());
    for (int part = memory.claimPart(); part >= 0; part = memory.claimPart()) {
        const std::size_t first = elements * static_cast<std::size_t>(part) / parts;
        const std::size_t last = elements * (static_cast<std::size_t>(part) + 1) / parts;
        std::array<const void*, MaxRanks> inputs{};
        for (int r = 0; r < size(); ++r) {
            inputs[static_cast<std::size_t>(r)] = memory.of(r) + first * element;
        }
        reduceArrays(op.reduction, op.in.type, memory.result() + first * element,
            {inputs.data(), static_cast<std::size_t>(size())}, static_cast<std::int64_t>(last - first));
        if (memory.finishPart()) {
            for (int r = 0; r < size(); ++r) {
                meeting().ring(r);
            }
        }
    }
    if (auto done = meeting().await(op.what, Meeting::Anyone, [&] { return memory.isDone(); }); !done) {
        return done;
    }
    if (op.out.data != nullptr) {
        std::memmove(op.out.data, memory.result(), op.in.byteCount());
    }
    return {};
}

Result<std::shared_ptr<SharedArray>> ShmCommunicator::share(std::size_t bytes, Space space)
{
    if (space != Space::Host) {
        return std::shared_ptr<SharedArray>();
    }
    struct Offer {
        std::int64_t process = 0;
        std::int64_t descriptor = -1;
        std::int64_t bytes = 0;
    };
    Offer offer{getpid(), -1, static_cast<std::int64_t>(bytes)};
    Result<Descriptor> file = rank() == 0 ? SharedMemory::makeFile(size(), bytes) : Descriptor();
    if (!file) {
        return fail(file.error());
    }
    offer.descriptor = file->number();
    LOCKSTEP_TRY(broadcast({&offer, 3, DataType::Int64}, 0));
    if (static_cast<std::size_t>(offer.bytes) != bytes) {
        return fail(arraysDiffer(offer.bytes, rank(), static_cast<std::int64_t>(bytes)));
    }
    if (rank() != 0) {
        file = openOf(offer.process, offer.descriptor,
            {LS_TR("Messages", "%1: %2"), {LS_TR("Messages", "a shared array"), rankName(rank())}});
    }
    if (!file) {
        return fail(file.error());
    }
    LOCKSTEP_TRY(barrier()); // rank 0 keeps its descriptor open until here
    auto memory = SharedMemory::open(*file, rank(), size(), bytes);
    if (!memory) {
        return fail(memory.error());
    }
    m_arrays.push_back(*memory);
    return std::shared_ptr<SharedArray>(std::move(*memory));
}

Result<std::unique_ptr<Communicator>> ShmCommunicator::split(int color, int key)
{
    LOCKSTEP_TRY_ASSIGN(const Members members, membersOf(*this, color, key));
    const bool isFirst = !members.ranks.empty() && members.place == 0;
    struct Offer {
        std::int64_t process = 0;
        std::int64_t descriptor = -1; ///< of the region that the part's first rank has created
    };
    Offer mine{getpid(), -1};
    const Result<Descriptor> made = isFirst ? Region::makeFile(static_cast<int>(members.ranks.size())) : Descriptor();
    if (!made) {
        return fail(made.error());
    }
    mine.descriptor = made->number();
    std::vector<Offer> offers(static_cast<std::size_t>(size()));
    LOCKSTEP_TRY(allGather({&mine, 2, DataType::Int64}, {offers.data(), std::int64_t{2} * size(), DataType::Int64}));
    Result<std::unique_ptr<Communicator>> part = std::unique_ptr<Communicator>();
    if (!members.ranks.empty()) {
        const Offer& first = offers[static_cast<std::size_t>(members.ranks.front())];
        const Text purpose(LS_TR("Messages", "%1: %2"), {verbatim("split"), rankName(rank())});
        const auto file = openOf(first.process, first.descriptor, purpose);
        if (!file) {
            return fail(file.error());
        }
        part = joinRegion(*file, members.place, m_options);
    }
    LOCKSTEP_TRY(barrier()); // the first rank keeps its descriptor open until here
    return part;
}

} // namespace

ShmRounds* roundsOf(Communicator& communicator)
{
    auto* shm = dynamic_cast<ShmCommunicator*>(&communicator);
    return shm != nullptr ? &shm->rounds() : nullptr;
}

Result<std::unique_ptr<Communicator>> joinRegion(const Descriptor& file, int rank, const ShmOptions& options)
{
    LOCKSTEP_TRY_ASSIGN(auto region, Region::open(file));
    if (rank < 0 || rank >= region->size()) {
        return failure(LS_TR("Messages", "shared memory: rank %1 of %2 does not exist"), {rank, region->size()});
    }
    auto communicator = std::make_unique<ShmCommunicator>(std::move(region), rank, options);
    LOCKSTEP_TRY(communicator->meeting().join());
    return std::unique_ptr<Communicator>(std::move(communicator));
}

Result<std::unique_ptr<Communicator>> joinByName(const std::string& name, int rank, int size, const ShmOptions& options)
{
    LOCKSTEP_TRY_ASSIGN(const auto file,
        shareDescriptor({name, rank, size, options.joinTimeout}, [size] { return Region::makeFile(size); }));
    return joinRegion(file, rank, options);
}

} // namespace lockstep::comm
