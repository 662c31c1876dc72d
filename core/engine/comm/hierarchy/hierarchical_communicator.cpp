#include "engine/comm/hierarchy/hierarchical_communicator.h"

#include "base/clock.h"
#include "engine/comm/algorithms/pieces.h"
#include "engine/comm/failures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::comm {

namespace {

/// Short, because the network is idle until the first is reduced on its host, and the hosts while the last crosses it;
/// of shorter ones the ranks of a busy machine take longer to meet than the network takes for them.
constexpr std::size_t PieceBytes = 512u << 10;
/// Pieces between the hosts at once: while one waits for its next message, the other keeps the network busy. As many
/// results are kept in a host's memory.
constexpr int MostUnderWay = SharedArray::Results;
/// The ranks of a host wait for the network, whose own time limit is to end first: it can name the hosts that are late.
constexpr std::chrono::milliseconds Patience{2000};
/// The rank of a host that communicates with the other hosts, by its number on the host.
constexpr int Leader = 0;

int piecesOf(std::size_t bytes)
{
    return static_cast<int>((bytes + PieceBytes - 1) / PieceBytes);
}

/// The same array, as if it could be written: for cutting it.
View cuttable(const ConstView& view)
{
    return {const_cast<void*>(view.data), view.count, view.type, view.space};
}

/// What a rank reports to the others of its host, in memory that they share; zeroed at first.
struct Told {
    /// The leader: how long the all-reduce under way has been between the hosts.
    std::atomic<std::int64_t> betweenNs;
    std::atomic<std::uint32_t> hasFailed;
    std::array<char, 1024> failure; ///< packInto(); written once, before `hasFailed`
};

/// How long at least one of several operations was under way.
struct Busy {
    std::int64_t ns = 0;
    std::int64_t untilNs = 0;

    void add(const OperationTimes& times)
    {
        ns += std::max<std::int64_t>(0, times.exitNs - std::max(times.enterNs, untilNs));
        untilNs = std::max(untilNs, times.exitNs);
    }
};

class HierarchicalCommunicator final : public GuardedCommunicator {
public:
    HierarchicalCommunicator(Hierarchy parts, std::vector<std::int64_t> leaders)
        : GuardedCommunicator(parts.all->rank(), parts.all->size(), parts.registry, parts.guard)
        , m_parts(std::move(parts))
        , m_leaderOf(std::move(leaders))
        , m_leaders(sorted(m_leaderOf))
    {
        for (int each = 0; each < size(); ++each) {
            if (leaderOf(each) == leaderOf(rank())) {
                m_ranksHere.push_back(each);
            }
        }
    }
    ~HierarchicalCommunicator() override { finishStarted(); }

    /// Every rank calls it, once.
    [[nodiscard]] Result<void> connect();

    [[nodiscard]] std::string_view backend() const override { return "hierarchical"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    [[nodiscard]] Result<std::shared_ptr<SharedArray>> share(std::size_t bytes, Space space) override
    {
        return isOnOneHost() ? host().share(bytes, space) : Communicator::share(bytes, space);
    }
    void setTimeout(std::chrono::milliseconds timeout) override
    {
        GuardedCommunicator::setTimeout(timeout);
        m_parts.all->setTimeout(timeout);
        host().setTimeout(timeout);
        for (const auto& network : m_networks) {
            network->setTimeout(timeout);
        }
    }
    void abort() override
    {
        m_parts.all->abort();
        host().abort();
        for (const auto& network : m_networks) {
            network->abort();
        }
    }

protected:
    [[nodiscard]] std::vector<CallSignature> exchangeSignatures(const CallSignature& mine) override;
    void carryOut(const Operation& op) override;
    void exchange(const Operation& op) override;

private:
    [[nodiscard]] static std::vector<int> sorted(const std::vector<std::int64_t>& leaders)
    {
        const std::set<int> once(leaders.begin(), leaders.end());
        return {once.begin(), once.end()};
    }
    [[nodiscard]] Communicator& host() const { return *m_parts.host; }
    [[nodiscard]] int leaderOf(int rank) const { return static_cast<int>(m_leaderOf[static_cast<std::size_t>(rank)]); }
    [[nodiscard]] bool isLeader() const { return host().rank() == Leader; }
    [[nodiscard]] bool isOnOneHost() const { return m_leaders.size() == 1; }
    /// The ranks of an error from a part of this group, numbered as in this group.
    [[nodiscard]] Text named(const Error& error, const std::vector<int>& ranks) const;
    /// `ranks`: those of the part that has carried out `what`.
    void orThrow(const Result<void>& done, const std::vector<int>& ranks, Collective what) const;

    [[nodiscard]] Told& toldByThis() const { return *reinterpret_cast<Told*>(m_told->own()); }
    /// Ends the all-reduce for the ranks of this host, which all throw the error of the first.
    [[noreturn]] void fail(Error error);

    void allReduce(const Operation& op);
    /// By this rank, in an all-reduce.
    [[nodiscard]] std::int64_t bytesSent(const Operation& op) const;
    /// Of an array: reduced over this host's ranks, and on the leader under way between the hosts.
    struct Piece {
        View result{}; ///< in the memory of the host
        std::unique_ptr<Work> work{};
    };
    [[nodiscard]] Piece reduceOnHost(const View& in, Reduction reduction, int network);
    /// Waits until the piece is reduced over all hosts, and copies it.
    void finish(const Piece& piece, const View& out);

    Hierarchy m_parts;
    std::vector<std::int64_t> m_leaderOf; ///< by rank: the first rank on its host
    std::vector<int> m_leaders; ///< by host
    std::vector<int> m_ranksHere;
    std::vector<std::unique_ptr<Communicator>> m_networks; ///< of the leaders, one for each piece under way
    std::shared_ptr<SharedArray> m_array; ///< a piece of each rank on this host, and their results in turns
    std::shared_ptr<SharedArray> m_told; ///< a Told of each rank on this host
    Busy m_between; ///< of the all-reduce under way, on a leader
};

Result<void> HierarchicalCommunicator::connect()
{
    if (isOnOneHost()) {
        return {};
    }
    for (int i = 0; i < MostUnderWay; ++i) {
        LOCKSTEP_TRY_ASSIGN(auto network, m_parts.all->split(isLeader() ? 0 : -1, rank()));
        if (auto* guarded = dynamic_cast<GuardedCommunicator*>(network.get())) {
            guarded->leaveCallsUncounted(); // they are counted here, on every rank
        }
        if (network) {
            m_networks.push_back(std::move(network));
        }
    }
    LOCKSTEP_TRY_ASSIGN(m_array, host().share(PieceBytes));
    LOCKSTEP_TRY_ASSIGN(m_told, host().share(sizeof(Told)));
    return {};
}

Text HierarchicalCommunicator::named(const Error& error, const std::vector<int>& ranks) const
{
    Text text = renamed(error, ranks);
    return m_parts.isPart ? text : inNumbersOfRun(text);
}

void HierarchicalCommunicator::orThrow(const Result<void>& done, const std::vector<int>& ranks, Collective what) const
{
    if (done) {
        return;
    }
    if (isNotAllArrived(done.error())) {
        throw TimedOut{}; // the base knows the missing ranks of all hosts
    }
    // Not an Error: the cause may be a rank on another host, which the base then names.
    throw Happened{withoutOperation(named(done.error(), ranks), what)};
}

std::vector<CallSignature> HierarchicalCommunicator::exchangeSignatures(const CallSignature& mine)
{
    std::vector<CallSignature> all(static_cast<std::size_t>(size()), mine);
    if (isOnOneHost() || mine.what != Collective::AllReduce) {
        return all; // compared by those that carry it out
    }
    const auto bytes = static_cast<std::int64_t>(sizeof(CallSignature));
    if (const auto done
        = m_parts.all->allGather({&mine, bytes, DataType::UInt8}, {all.data(), bytes * size(), DataType::UInt8});
        !done) {
        throw done.error();
    }
    return all;
}

void HierarchicalCommunicator::carryOut(const Operation& op)
{
    if (isOnOneHost()) {
        orThrow(host().run(op), m_ranksHere, op.what);
        return;
    }
    if (op.what == Collective::AllReduce) {
        try {
            allReduce(op);
        } catch (...) {
            fail(explainCaught(op.what));
        }
        return;
    }
    const std::int64_t begin = monotonicNs();
    if (const auto done = m_parts.all->run(op); !done) {
        throw done.error();
    }
    times().betweenHostsNs = monotonicNs() - begin;
}

void HierarchicalCommunicator::exchange(const Operation& op)
{
    if (isOnOneHost()) {
        orThrow(host().run(op), m_ranksHere, op.what);
        return;
    }
    const std::int64_t begin = monotonicNs();
    if (const auto done = m_parts.all->run(op); !done) {
        throw done.error();
    }
    const auto isElsewhere = [this](int other) { return other >= 0 && leaderOf(other) != leaderOf(rank()); };
    if (isElsewhere(op.to) || isElsewhere(op.from)) {
        times().betweenHostsNs = monotonicNs() - begin;
    }
}

void HierarchicalCommunicator::allReduce(const Operation& op)
{
    const int pieces = piecesOf(op.in.byteCount());
    m_between = {};
    Piece before;
    for (int i = 0; i < pieces; ++i) {
        Piece piece = reduceOnHost(equalPart(cuttable(op.in), i, pieces), op.reduction, i % MostUnderWay);
        if (i > 0) {
            finish(before, equalPart(op.out, i - 1, pieces));
        }
        before = std::move(piece);
    }
    finish(before, equalPart(op.out, pieces - 1, pieces));
    times().betweenHostsNs = reinterpret_cast<const Told*>(m_told->of(Leader))->betweenNs.load();
    times().bytesSent = bytesSent(op);
}

HierarchicalCommunicator::Piece HierarchicalCommunicator::reduceOnHost(const View& in, Reduction reduction, int network)
{
    std::memcpy(m_array->own(), in.data, in.byteCount());
    host().setTimeout(options().timeout);
    const ConstView own{m_array->own(), in.count, in.type};
    orThrow(host().allReduce(own, {nullptr, in.count, in.type}, reduction), m_ranksHere, Collective::AllReduce);
    Piece piece{{m_array->result(), in.count, in.type}, nullptr};
    if (isLeader()) {
        piece.work = m_networks[static_cast<std::size_t>(network)]->start(
            {.what = Collective::AllReduce, .in = piece.result, .out = piece.result, .reduction = reduction});
    }
    return piece;
}

void HierarchicalCommunicator::finish(const Piece& piece, const View& out)
{
    if (piece.work) {
        orThrow(piece.work->wait(), m_leaders, Collective::AllReduce);
        m_between.add(piece.work->times());
        // Every rank of the host has read that of the last all-reduce: it has given its part of this one's first piece.
        toldByThis().betweenNs = m_between.ns;
    }
    host().setTimeout(options().timeout + Patience);
    orThrow(host().barrier(), m_ranksHere, Collective::Barrier);
    std::memcpy(out.data, piece.result.data, out.byteCount());
}

void HierarchicalCommunicator::fail(Error error)
{
    for (int rank = 0; rank < host().size(); ++rank) {
        const auto& told = *reinterpret_cast<const Told*>(m_told->of(rank));
        if (told.hasFailed.load()) {
            error = failureOf(unpackedOrEnglish(told.failure.data()));
        }
    }
    Told& own = toldByThis();
    packInto(own.failure, error);
    own.hasFailed.store(1);
    host().abort();
    throw error;
}

std::int64_t HierarchicalCommunicator::bytesSent(const Operation& op) const
{
    const auto hosts = static_cast<int>(m_leaders.size());
    const std::size_t toOtherHosts = isLeader() ? bytesSentBy(op, 0, hosts) : 0;
    const std::size_t onThisHost = host().size() > 1 ? op.in.byteCount() : 0; // to the leader, or from it to the others
    return static_cast<std::int64_t>(toOtherHosts + onThisHost);
}

Result<std::unique_ptr<Communicator>> HierarchicalCommunicator::split(int color, int key)
{
    LOCKSTEP_TRY_ASSIGN(auto all, m_parts.all->split(color, key));
    LOCKSTEP_TRY_ASSIGN(auto here, host().split(color, key));
    if (!all) {
        return std::unique_ptr<Communicator>();
    }
    return joinHierarchy({.all = std::move(all),
        .host = std::move(here),
        .registry = PeerRegistry::ofPart(registry()),
        .guard = options(),
        .isPart = true});
}

} // namespace

Result<std::unique_ptr<Communicator>> joinHierarchy(Hierarchy parts)
{
    std::int64_t leader = parts.all->rank();
    LOCKSTEP_TRY(parts.host->broadcast({&leader, 1, DataType::Int64}, Leader));
    std::vector<std::int64_t> leaders(static_cast<std::size_t>(parts.all->size()));
    LOCKSTEP_TRY(
        parts.all->allGather({&leader, 1, DataType::Int64}, {leaders.data(), parts.all->size(), DataType::Int64}));
    if (std::set<std::int64_t>(leaders.begin(), leaders.end()).size() == leaders.size()) {
        return std::move(parts.all);
    }
    auto group = std::make_unique<HierarchicalCommunicator>(std::move(parts), std::move(leaders));
    LOCKSTEP_TRY(group->connect());
    return std::unique_ptr<Communicator>(std::move(group));
}

} // namespace lockstep::comm
