#include "engine/comm/device/ipc_communicator.h"

#include "engine/comm/device/device_memory.h"
#include "engine/comm/device/ipc_messages.h"
#include "engine/comm/device/ipc_peers.h"
#include "engine/comm/device/ipc_rounds.h"
#include "engine/comm/failures.h"
#include "engine/comm/slot_collectives.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::comm {

namespace {

/// The largest array that every one of two ranks reduces whole: it takes one meeting where shares take two. The traffic
/// of p ranks grows with p^2. What a meeting costs hardly grows where kernels of all ranks run at once and look at
/// flags; with events the GPU turns from one process to the next, some 80 us each on an H200, so it grows with p.
constexpr std::size_t WholeBesideFlags = std::size_t{8} << 20;
constexpr std::size_t WholeBesideEvents = std::size_t{64} << 20;

/// Who reduces an array that ranks share: each a share of it, into results that rank 0 has for all; or each the whole
/// of it, into results of its own.
enum class Reduces { Share, Whole };

/// An array that each rank allocates on the device and the others open; so are its two results, once there is one.
class IpcArray final : public SharedArray {
public:
    IpcArray(PeerMemory memory, int rank, std::size_t bytes, Reduces how)
        : m_memory(std::move(memory))
        , m_rank(rank)
        , m_bytes(bytes)
        , m_how(how)
    { }
    [[nodiscard]] Reduces how() const { return m_how; }
    [[nodiscard]] const std::byte* of(int rank) const override { return at(rank); }
    [[nodiscard]] std::byte* own() override { return at(m_rank); }
    [[nodiscard]] std::byte* at(int rank) const { return m_memory[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] std::byte* result() override
    {
        return m_results[static_cast<std::size_t>(m_how == Reduces::Whole ? m_rank : 0)] + stride() * m_turn;
    }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    [[nodiscard]] std::size_t stride() const { return std::max(SlotLine, roundUpToLine(m_bytes)); }
    /// What this rank allocates for results.
    [[nodiscard]] std::size_t resultBytes() const
    {
        return m_rank == 0 || m_how == Reduces::Whole ? Results * stride() : SlotLine;
    }
    [[nodiscard]] bool hasResults() const { return !m_results.empty(); }
    void setResults(PeerMemory results) { m_results = std::move(results); }
    /// A new all-reduce begins; its result replaces the last but one.
    void begin() { m_turn ^= 1; }
    /// What to close and to free at the end.
    [[nodiscard]] std::array<const PeerMemory*, 2> memories() const { return {&m_memory, &m_results}; }

private:
    PeerMemory m_memory;
    PeerMemory m_results; ///< empty until the first all-reduce that needs them
    int m_rank;
    std::size_t m_bytes;
    Reduces m_how;
    unsigned m_turn = 0;
};

class IpcCommunicator final : public Communicator {
public:
    /// `host` is taken over by adopt(), once open() has worked.
    IpcCommunicator(Communicator& host, ShmRounds& rounds, std::shared_ptr<Device> device, const IpcOptions& options,
        FamilyPlace place)
        : Communicator(host.rank(), host.size())
        , m_host(host)
        , m_hostRounds(rounds)
        , m_device(std::move(device))
        , m_memory(deviceMemory(m_device))
        , m_options(options)
        , m_peers(host, rounds, m_device, options.spinsOnFlags, std::move(place))
        , m_rounds(m_peers, rounds, options)
        , m_messages(m_peers, std::max(SlotLine, options.messageBytes / SlotLine * SlotLine))
        , m_collectives(rank(), size(), *m_device, m_rounds)
    { }
    ~IpcCommunicator() override
    {
        finishStarted();
        if (m_peers.isOpen()) {
            closeAll();
        }
    }

    [[nodiscard]] Result<void> open()
    {
        LOCKSTEP_TRY(m_peers.open());
        return m_rounds.open();
    }
    void adopt(std::unique_ptr<Communicator> host) { m_ownedHost = std::move(host); }

    [[nodiscard]] std::string_view backend() const override { return "shm"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    [[nodiscard]] Result<std::shared_ptr<SharedArray>> share(std::size_t bytes, Space space) override;
    [[nodiscard]] const std::shared_ptr<Memory>& memory(Space space) const override
    {
        return space == Space::Device ? m_memory : hostMemory();
    }
    [[nodiscard]] std::shared_ptr<Device> queueingDevice() const override { return m_device; }
    void setTimeout(std::chrono::milliseconds timeout) override { m_host.setTimeout(timeout); }
    [[nodiscard]] Result<void> checkPeers() override
    {
        auto alive = m_host.checkPeers();
        return orGiveUp(alive ? m_peers.state() : alive);
    }
    [[nodiscard]] Text deadPeer() override { return m_host.deadPeer(); }
    void abort() override
    {
        m_host.abort();
        m_peers.stopFlags();
    }

protected:
    Result<void> execute(const Operation& op, OperationTimes& times) override;
    Result<void> synchronize() override { return orGiveUp(m_peers.synchronize()); }

private:
    Result<void> carryOut(const Operation& op, OperationTimes& times);
    Result<void> runAlone(const Operation& op);
    Result<void> allReduceShared(const Operation& op, IpcArray& array);
    Result<void> allReduceInShares(const Operation& op, IpcArray& array);
    Result<void> allReduceInPlace(const Operation& op, IpcArray& array, std::size_t offset);
    /// Of the shared array that an all-reduce is about, if it takes another way than arrays of this rank alone.
    [[nodiscard]] SharedPlace sharedPlaceOf(const Operation& op) const;
    Result<void> openResults(const Operation& op, OperationTimes& times, const SharedPlace& place);
    /// Reduces this rank's share of all ranks' arrays from `offset` on, into that part of each array of `to`.
    void reduceShare(const Operation& op, const IpcArray& array, std::size_t offset, std::span<std::byte* const> to);
    [[nodiscard]] std::size_t reduceWholeBelow() const;
    Result<void> orGiveUp(Result<void> result)
    {
        if (!result) {
            m_peers.giveUp();
        }
        return result;
    }
    void closeAll();

    Communicator& m_host;
    ShmRounds& m_hostRounds;
    std::unique_ptr<Communicator> m_ownedHost;
    std::shared_ptr<Device> m_device;
    std::shared_ptr<Memory> m_memory;
    IpcOptions m_options;
    IpcPeers m_peers;
    IpcRounds m_rounds;
    IpcMessages m_messages;
    SlotCollectives<Device, IpcRounds> m_collectives;
    std::vector<std::shared_ptr<IpcArray>> m_arrays; ///< in the order of creation, which is the same on every rank
};

Result<void> IpcCommunicator::execute(const Operation& op, OperationTimes& times)
{
    if (op.what != Collective::Barrier && spaceOf(op, rank()) == Space::Host) {
        auto done = m_host.run(op);
        times = m_host.lastTimes();
        return done;
    }
    m_peers.begin(op.what);
    auto done = carryOut(op, times);
    m_hostRounds.end();
    return orGiveUp(std::move(done));
}

Result<void> IpcCommunicator::carryOut(const Operation& op, OperationTimes& times)
{
    const SharedPlace place = sharedPlaceOf(op);
    IpcArray* array = place.array >= 0 ? m_arrays[static_cast<std::size_t>(place.array)].get() : nullptr;
    const bool isInPlace = array != nullptr && op.in.data == op.out.data;
    LOCKSTEP_TRY(m_hostRounds.begin(op, times, place));
    LOCKSTEP_TRY(m_rounds.begin(op, times, array == nullptr || (array->how() == Reduces::Whole && !isInPlace)));
    if (op.what == Collective::SendReceive) {
        LOCKSTEP_TRY(m_messages.exchange(op));
    } else if (isInPlace) {
        LOCKSTEP_TRY(allReduceInPlace(op, *array, static_cast<std::size_t>(place.offset)));
    } else if (array != nullptr) {
        LOCKSTEP_TRY(openResults(op, times, place));
        LOCKSTEP_TRY(allReduceShared(op, *array));
    } else {
        LOCKSTEP_TRY(
            size() == 1 ? runAlone(op) : m_collectives.run(op, std::min(reduceWholeBelow(), m_rounds.slotBytes())));
    }
    return m_peers.state();
}

std::size_t IpcCommunicator::reduceWholeBelow() const
{
    const auto ranks = static_cast<std::size_t>(size());
    const std::size_t largest
        = m_options.spinsOnFlags ? 4 * WholeBesideFlags / (ranks * ranks) : 2 * WholeBesideEvents / ranks;
    return std::min(m_options.reduceWholeBelow != 0 ? m_options.reduceWholeBelow : largest, m_rounds.slotLimit());
}

Result<void> IpcCommunicator::runAlone(const Operation& op)
{
    if (isReducing(op.what) && op.in.count > 0) {
        const void* input = op.in.data;
        m_device->reduce(op.reduction, op.in.type, {&op.out.data, 1}, {&input, 1}, op.in.count);
    } else if (op.what != Collective::Barrier) {
        m_memory->copy(op.out.data, op.in.data, op.out.byteCount());
    }
    return {};
}

SharedPlace IpcCommunicator::sharedPlaceOf(const Operation& op) const
{
    const std::size_t bytes = op.in.byteCount();
    for (std::size_t i = 0; i < m_arrays.size() && op.what == Collective::AllReduce; ++i) {
        const std::byte* begin = m_arrays[i]->own();
        const std::byte* end = begin + m_arrays[i]->bytes();
        if (op.in.bytes() < begin || op.in.bytes() > end || op.in.bytes() + bytes > end) {
            continue;
        }
        const bool isInPlace = op.in.data == op.out.data;
        if (isInPlace ? bytes > reduceWholeBelow() : op.in.data == begin) {
            return {static_cast<std::int32_t>(i), op.in.bytes() - begin};
        }
    }
    return {};
}

/// Not when the array is made: who reduces in place needs none.
Result<void> IpcCommunicator::openResults(const Operation& op, OperationTimes& times, const SharedPlace& place)
{
    IpcArray& array = *m_arrays[static_cast<std::size_t>(place.array)];
    if (array.hasResults()) {
        return {};
    }
    LOCKSTEP_TRY(m_hostRounds.meet(op)); // compares the calls before anything is allocated for them
    LOCKSTEP_TRY(m_peers.synchronize());
    LOCKSTEP_TRY(m_peers.meeting().meet(op.what));
    auto results = m_peers.shareMemory(array.resultBytes());
    if (!results) {
        return m_peers.failed(
            op.what, {LS_TR("Messages", "%1: %2"), {LS_TR("Messages", "a shared array"), results.error()}});
    }
    array.setResults(std::move(*results));
    return m_hostRounds.begin(op, times, place);
}

void IpcCommunicator::reduceShare(
    const Operation& op, const IpcArray& array, std::size_t offset, std::span<std::byte* const> to)
{
    const auto own = m_collectives.shareOf(rank(), {offset, op.in.byteCount()});
    if (own.size == 0) {
        return;
    }
    std::array<const void*, MaxRanks> inputs{};
    for (int r = 0; r < size(); ++r) {
        inputs[static_cast<std::size_t>(r)] = array.of(r) + own.begin;
    }
    std::array<void*, MaxRanks> outputs{};
    std::transform(to.begin(), to.end(), outputs.begin(), [&](std::byte* each) { return each + own.begin; });
    m_device->reduce(op.reduction, op.in.type, {outputs.data(), to.size()},
        {inputs.data(), static_cast<std::size_t>(size())}, static_cast<std::int64_t>(own.size / sizeOf(op.in.type)));
}

/// Each rank reduces its share straight from all ranks' arrays into the common result: nothing is copied. Of p arrays
/// of N bytes the ranks together read p N and write N. After the second round no stream reads the arrays any more, so
/// they may be written again, and the result is whole.
Result<void> IpcCommunicator::allReduceInShares(const Operation& op, IpcArray& array)
{
    LOCKSTEP_TRY(m_rounds.meet(op));
    array.begin();
    const std::array to{array.result()};
    reduceShare(op, array, 0, to);
    return m_rounds.meet(op);
}

/// Each rank reduces its share straight from all ranks' arrays into all of them: p N bytes are read and p N written,
/// where slots would move 5 p N - 2 N.
Result<void> IpcCommunicator::allReduceInPlace(const Operation& op, IpcArray& array, std::size_t offset)
{
    LOCKSTEP_TRY(m_rounds.meet(op));
    std::array<std::byte*, MaxRanks> to{};
    for (int r = 0; r < size(); ++r) {
        to[static_cast<std::size_t>(r)] = array.at(r);
    }
    reduceShare(op, array, offset, {to.data(), static_cast<std::size_t>(size())});
    return m_rounds.meet(op);
}

Result<void> IpcCommunicator::allReduceShared(const Operation& op, IpcArray& array)
{
    if (array.how() == Reduces::Whole) {
        array.begin();
        Operation whole = op;
        whole.out = {array.result(), op.in.count, op.in.type, op.in.space};
        LOCKSTEP_TRY(m_collectives.run(whole, op.in.byteCount()));
    } else {
        LOCKSTEP_TRY(allReduceInShares(op, array));
    }
    if (op.out.data != nullptr) {
        m_memory->copy(op.out.data, array.result(), op.in.byteCount());
    }
    return {};
}

Result<std::shared_ptr<SharedArray>> IpcCommunicator::share(std::size_t bytes, Space space)
{
    LOCKSTEP_TRY(finish()); // started operations use the same meetings
    if (space == Space::Host) {
        return m_host.share(bytes);
    }
    if (!m_options.sharesArrays) {
        return std::shared_ptr<SharedArray>();
    }
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(size()));
    const auto mine = static_cast<std::int64_t>(bytes);
    LOCKSTEP_TRY(m_host.allGather({&mine, 1, DataType::Int64}, {wanted.data(), size(), DataType::Int64}));
    const auto odd = std::find_if(wanted.begin(), wanted.end(), [&](std::int64_t each) { return each != wanted[0]; });
    if (odd != wanted.end()) {
        return m_peers.meeting().breakGroup(arraysDiffer(wanted[0], odd - wanted.begin(), *odd));
    }
    // One rank has no slots.
    const Reduces how = size() > 1 && bytes <= reduceWholeBelow() ? Reduces::Whole : Reduces::Share;
    auto memory = m_peers.shareMemory(std::max(SlotLine, roundUpToLine(bytes)));
    if (!memory) {
        return m_peers.meeting().breakGroup(
            {LS_TR("Messages", "%1: %2"), {LS_TR("Messages", "a shared array"), memory.error()}});
    }
    m_arrays.push_back(std::make_shared<IpcArray>(std::move(*memory), rank(), bytes, how));
    m_device->zero(m_arrays.back()->own(), m_arrays.back()->stride());
    return std::shared_ptr<SharedArray>(m_arrays.back());
}

void IpcCommunicator::closeAll()
{
    if (m_peers.hasFailed() || !m_peers.synchronize()) {
        m_peers.giveUp();
        return; // the process ends, and what it has open is closed with it
    }
    m_rounds.closeOpened();
    m_messages.closeOpened();
    for (const auto& array : m_arrays) {
        for (const PeerMemory* each : array->memories()) {
            m_peers.closeOpened(*each);
        }
    }
    if (!m_peers.haveAllClosed()) {
        return;
    }
    m_rounds.free();
    m_messages.free();
    for (const auto& array : m_arrays) {
        for (const PeerMemory* each : array->memories()) {
            m_peers.freeOwn(*each);
        }
    }
    m_peers.free();
}

Result<std::unique_ptr<Communicator>> makeOver(
    std::unique_ptr<Communicator>& host, std::shared_ptr<Device> device, const IpcOptions& options, FamilyPlace place)
{
    ShmRounds* rounds = roundsOf(*host);
    if (rounds == nullptr) {
        return failure(
            LS_TR("Messages", "sharing a device needs ranks that share memory (comm.backend=shm); these are over %1"),
            {verbatim(host->backend())});
    }
    auto communicator = std::make_unique<IpcCommunicator>(*host, *rounds, std::move(device), options, std::move(place));
    LOCKSTEP_TRY(communicator->open());
    communicator->adopt(std::move(host));
    return std::unique_ptr<Communicator>(std::move(communicator));
}

Result<std::unique_ptr<Communicator>> IpcCommunicator::split(int color, int key)
{
    LOCKSTEP_TRY(finish());
    auto part = m_host.split(color, key);
    if (!part || *part == nullptr) {
        return part;
    }
    // The same size per rank as here, so that all groups together stay small.
    IpcOptions options = m_options;
    options.slotsOfAllRanks
        = m_rounds.bytesOfAllRanks() / static_cast<std::size_t>(size()) * static_cast<std::size_t>((*part)->size());
    LOCKSTEP_TRY_ASSIGN(auto place, partOfFamily(**part, rank(), m_peers.place()));
    return makeOver(*part, m_device, options, std::move(place));
}

} // namespace

Result<std::unique_ptr<Communicator>> overIpc(
    std::unique_ptr<Communicator>& host, std::shared_ptr<Device> device, const IpcOptions& options)
{
    return makeOver(host, std::move(device), options, firstOfFamily(host->size()));
}

} // namespace lockstep::comm
