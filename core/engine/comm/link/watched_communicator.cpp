#include "engine/comm/link/watched_communicator.h"

#include "base/clock.h"
#include "engine/comm/algorithms/composed.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::comm {

/// The group as composed operations use it: the owner's queue is busy with the collective.
class WatchedCommunicator::Messages final : public Communicator {
public:
    explicit Messages(WatchedCommunicator& owner)
        : Communicator(owner.rank(), owner.size())
        , m_owner(owner)
    { }
    ~Messages() override { finishStarted(); }
    [[nodiscard]] std::string_view backend() const override { return m_owner.backend(); }
    [[nodiscard]] const std::shared_ptr<Memory>& memory(Space space) const override { return m_owner.memory(space); }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int, int) override
    {
        return Error{"split: not while a collective is under way"};
    }

protected:
    Result<void> execute(const Operation& operation, OperationTimes&) override { return m_owner.exchange(operation); }

private:
    WatchedCommunicator& m_owner;
};

std::size_t bytesSentBy(const Operation& op, int rank, int ranks)
{
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t in = op.in.byteCount();
    const std::size_t out = op.out.byteCount();
    const bool isRoot = rank == op.root;
    switch (op.what) {
    case Collective::AllReduce:
        return 2 * in * (p - 1) / p;
    case Collective::AllGather:
        return in * (p - 1);
    case Collective::ReduceScatter:
        return out * (p - 1);
    case Collective::AllToAll:
        return in * (p - 1) / p;
    case Collective::Broadcast:
        return isRoot && ranks > 1 ? out : 0;
    case Collective::Scatter:
        return isRoot ? out * (p - 1) : 0;
    case Collective::Reduce:
    case Collective::Gather:
        return isRoot ? 0 : in;
    case Collective::SendReceive:
        return op.to >= 0 ? in : 0;
    case Collective::Barrier:
        return 0;
    }
    return 0;
}

WatchedCommunicator::WatchedCommunicator(std::unique_ptr<Communicator> inner)
    : Communicator(inner->rank(), inner->size())
    , m_inner(std::move(inner))
    , m_links(static_cast<std::size_t>(m_inner->size()))
{ }

WatchedCommunicator::~WatchedCommunicator()
{
    finishStarted();
}

Result<std::unique_ptr<Communicator>> WatchedCommunicator::split(int color, int key)
{
    auto inner = m_inner->split(color, key);
    if (!inner || !*inner) {
        return inner;
    }
    auto group = std::make_unique<WatchedCommunicator>(std::move(*inner));
    group->m_ports = m_ports;
    if (m_hasLinks || m_arrivals) {
        LOCKSTEP_TRY(passOn(*group));
    }
    return std::unique_ptr<Communicator>(std::move(group));
}

Result<void> WatchedCommunicator::passOn(WatchedCommunicator& group)
{
    // Only the members know the order of the ranks in the group; they take the first number that all of them have free.
    struct Member {
        std::int64_t rank = 0;
        std::int64_t groups = 0;
    };
    const Member own{rank(), m_arrivals ? *m_groups : 0};
    std::vector<Member> members(static_cast<std::size_t>(group.size()));
    constexpr std::int64_t Numbers = 2;
    LOCKSTEP_TRY(group.m_inner->allGather(
        {&own, Numbers, DataType::Int64}, {members.data(), Numbers * group.size(), DataType::Int64}));
    for (int place = 0; place < group.size(); ++place) {
        const Member& member = members[static_cast<std::size_t>(place)];
        group.setLink(place, link(static_cast<int>(member.rank)));
        if (m_arrivals) {
            group.m_members.push_back(m_members[static_cast<std::size_t>(member.rank)]);
            group.m_group = std::max(group.m_group, static_cast<int>(member.groups));
        }
    }
    if (m_arrivals && group.m_group < Arrivals::MostGroups) {
        *m_groups = group.m_group + 1;
        group.m_groups = m_groups;
        group.m_arrivals = m_arrivals;
    }
    return {};
}

void WatchedCommunicator::setLink(int rank, const Link& link)
{
    const std::scoped_lock lock(m_linksMutex);
    m_links[static_cast<std::size_t>(rank)] = link;
    m_hasLinks = std::any_of(m_links.begin(), m_links.end(), [](const Link& each) { return each.isSet(); });
}

Link WatchedCommunicator::link(int rank) const
{
    const std::scoped_lock lock(m_linksMutex);
    return m_links[static_cast<std::size_t>(rank)];
}

std::size_t WatchedCommunicator::takeBytesSent()
{
    const std::size_t all = std::accumulate(m_bytesSent.begin(), m_bytesSent.end(), std::size_t{0});
    m_bytesSent.fill(0);
    return all;
}

std::size_t WatchedCommunicator::takeBytesSent(Collective by)
{
    return std::exchange(m_bytesSent[static_cast<std::size_t>(by)], 0);
}

void WatchedCommunicator::tellWaiting(std::shared_ptr<Arrivals> arrivals)
{
    m_arrivals = std::move(arrivals);
    m_groups = std::make_shared<int>(1);
    m_members.resize(static_cast<std::size_t>(size()));
    std::iota(m_members.begin(), m_members.end(), 0);
}

bool WatchedCommunicator::isTold(const Operation& operation) const
{
    constexpr int Pair = 2;
    return m_arrivals && !m_isComposing && (operation.what != Collective::SendReceive || size() == Pair);
}

void WatchedCommunicator::enter(Arrivals::Kind kind)
{
    Calls& calls = m_calls[static_cast<std::size_t>(kind)];
    m_arrivals->enter({m_members[static_cast<std::size_t>(rank())], m_group}, kind, ++calls.entered, m_enteredNs);
}

void WatchedCommunicator::entering(const Operation& operation)
{
    m_enteredNs = monotonicNs();
    if (!isTold(operation)) {
        return;
    }
    if (operation.what != Collective::SendReceive) {
        enter(Arrivals::Kind::Collective);
        return;
    }
    if (operation.to >= 0) {
        enter(Arrivals::Kind::Send);
    }
    if (operation.from >= 0) {
        enter(Arrivals::Kind::Receive);
    }
}

void WatchedCommunicator::leaving(const OperationTimes& times)
{
    if (!m_isComposing) {
        report({m_enteredNs, times.lastArrivalNs, times.exitNs});
    }
}

void WatchedCommunicator::report(const OperationTimes& times) const
{
    if (m_timer) {
        m_timer(times);
    }
}

void WatchedCommunicator::beginComposed()
{
    m_enteredNs = m_composedNs = monotonicNs();
    if (m_arrivals) {
        enter(Arrivals::Kind::Collective);
    }
    m_isComposing = true;
}

void WatchedCommunicator::endComposed()
{
    m_isComposing = false;
    report({m_composedNs, m_arrivals ? lastArrivalOf(Arrivals::Kind::Collective) : 0, monotonicNs()});
}

std::int64_t WatchedCommunicator::lastArrivalOf(Arrivals::Kind kind)
{
    const std::int64_t number = ++m_calls[static_cast<std::size_t>(kind)].left;
    // A partner's sends are this rank's receives.
    const auto theirs = kind == Arrivals::Kind::Send ? Arrivals::Kind::Receive
        : kind == Arrivals::Kind::Receive            ? Arrivals::Kind::Send
                                                     : kind;
    std::int64_t last = 1; // early enough, and known
    for (int other = 0; other < size(); ++other) {
        const bool counts = other != rank() || kind == Arrivals::Kind::Collective;
        if (counts) {
            last = std::max(
                last, m_arrivals->entered({m_members[static_cast<std::size_t>(other)], m_group}, theirs, number));
        }
    }
    return last;
}

std::int64_t WatchedCommunicator::lastArrivalOf(const Operation& operation)
{
    if (operation.what != Collective::SendReceive) {
        return lastArrivalOf(Arrivals::Kind::Collective);
    }
    std::int64_t last = 1;
    if (operation.to >= 0) {
        const std::int64_t taken = lastArrivalOf(Arrivals::Kind::Send);
        last = taken == Arrivals::NotYet ? last : taken; // it did not block for that rank
    }
    return operation.from >= 0 ? std::max(last, lastArrivalOf(Arrivals::Kind::Receive)) : last;
}

Result<void> WatchedCommunicator::execute(const Operation& operation, OperationTimes& times)
{
    const bool told = isTold(operation);
    auto done = carryOut(operation);
    if (told) {
        // Where the algorithm lets a rank leave before the last one comes, all of its time there is waiting.
        times.lastArrivalNs = std::min(lastArrivalOf(operation), monotonicNs());
    }
    return done;
}

Result<void> WatchedCommunicator::carryOut(const Operation& operation)
{
    m_underWay = operation.what;
    if (operation.what == Collective::SendReceive) {
        return exchange(operation);
    }
    if (m_hasLinks) {
        Messages messages(*this);
        return composed(messages, operation, m_scratch);
    }
    m_bytesSent[static_cast<std::size_t>(m_underWay)] += bytesSentBy(operation, rank(), size());
    return m_inner->run(operation);
}

Link WatchedCommunicator::linkWith(int other) const
{
    return other < 0 || !m_hasLinks ? Link{} : between(link(rank()), link(other));
}

Result<std::int64_t> WatchedCommunicator::exchangeOverLinks(const Operation& op, const Link& out, const Link& in)
{
    const std::int64_t now = monotonicNs();
    if (spaceOf(op, rank()) == Space::Device) {
        sleepUntilNs(now + (out.isSet() ? out.latencyNs() + out.transferNs(op.in.byteCount()) : 0));
        LOCKSTEP_TRY(m_inner->run(op));
        return in.isSet() ? m_ports->receive(monotonicNs(), in.transferNs(op.out.byteCount())) : now;
    }
    std::int64_t readable = now; // our message, from then on
    std::int64_t end = now;
    if (out.isSet()) {
        end = m_ports->send(now, out.transferNs(op.in.byteCount()));
        readable = end + out.latencyNs();
    }
    LOCKSTEP_TRY_ASSIGN(const std::int64_t theirs, exchangeTimes(op, out, in, readable));
    LOCKSTEP_TRY(m_inner->run(op));
    if (in.isSet() && theirs > 0) {
        end = std::max(end, m_ports->receive(theirs, in.transferNs(op.out.byteCount())));
    }
    return end;
}

Result<std::int64_t> WatchedCommunicator::exchangeTimes(
    const Operation& op, const Link& out, const Link& in, std::int64_t readable)
{
    std::int64_t theirs = 0;
    const int to = out.isSet() || m_sendsTimes ? op.to : -1;
    const int from = in.isSet() || m_sendsTimes ? op.from : -1;
    if (to >= 0 || from >= 0) {
        LOCKSTEP_TRY(m_inner->run({.what = Collective::SendReceive,
            .in = {&readable, 1, DataType::Int64},
            .out = {&theirs, 1, DataType::Int64},
            .to = to,
            .from = from}));
    }
    return theirs;
}

Result<void> WatchedCommunicator::exchange(const Operation& op)
{
    const std::int64_t start = monotonicNs();
    const Link out = linkWith(op.to);
    const Link in = linkWith(op.from);
    if (out.isSet() || in.isSet() || m_sendsTimes) {
        LOCKSTEP_TRY_ASSIGN(const std::int64_t end, exchangeOverLinks(op, out, in));
        sleepUntilNs(end);
    } else {
        LOCKSTEP_TRY(m_inner->run(op));
    }
    const std::size_t sent = op.to >= 0 ? op.in.byteCount() : 0;
    m_bytesSent[static_cast<std::size_t>(m_underWay)] += sent;
    if (m_listener) {
        m_listener({op.to, op.from, op.to >= 0 ? sent : op.out.byteCount(), start, monotonicNs()});
    }
    return {};
}

} // namespace lockstep::comm
