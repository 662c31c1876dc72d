#include "engine/comm/link/watched_communicator.h"

#include "base/clock.h"
#include "engine/comm/algorithms/composed.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::comm {

WatchedCommunicator::WatchedCommunicator(std::unique_ptr<Communicator> inner)
    : Communicator(inner->rank(), inner->size(), &m_times)
    , m_inner(std::move(inner))
    , m_links(static_cast<std::size_t>(m_inner->size()))
    , m_times(m_inner->rank(), m_inner->size())
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
    if (m_hasLinks || m_times.measuresWaiting()) {
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
    const Member own{rank(), m_times.measuresWaiting() ? m_times.nextGroup() : 0};
    std::vector<Member> members(static_cast<std::size_t>(group.size()));
    constexpr std::int64_t Numbers = 2;
    LOCKSTEP_TRY(group.m_inner->allGather(
        {&own, Numbers, DataType::Int64}, {members.data(), Numbers * group.size(), DataType::Int64}));
    std::vector<int> ranks;
    int number = 0;
    for (int place = 0; place < group.size(); ++place) {
        const Member& member = members[static_cast<std::size_t>(place)];
        ranks.push_back(static_cast<int>(member.rank));
        number = std::max(number, static_cast<int>(member.groups));
        group.setLink(place, link(ranks.back()));
    }
    if (m_times.measuresWaiting()) {
        m_times.passOn(group.m_times, ranks, number);
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

std::size_t WatchedCommunicator::takeBytesSent(std::optional<Collective> by)
{
    if (by) {
        return std::exchange(m_bytesSent[static_cast<std::size_t>(*by)], 0);
    }
    const std::size_t all = std::accumulate(m_bytesSent.begin(), m_bytesSent.end(), std::size_t{0});
    m_bytesSent.fill(0);
    return all;
}

Result<void> WatchedCommunicator::execute(const Operation& operation, OperationTimes& times)
{
    const bool isMeasured = m_times.isMeasured(operation);
    auto done = carryOut(operation);
    if (done) {
        m_times.carriedOut();
        times.betweenHostsNs = m_inner->lastTimes().betweenHostsNs;
    }
    if (isMeasured) {
        // Where the algorithm lets a rank leave before the last one comes, all of its time there is waiting.
        times.lastArrivalNs = std::min(m_times.lastArrivalOf(operation), monotonicNs());
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
        return composed(
            *this, [this](const Operation& message) { return exchange(message); }, operation, m_scratch);
    }
    auto done = m_inner->run(operation);
    const std::int64_t told = m_inner->lastTimes().bytesSent;
    m_bytesSent[static_cast<std::size_t>(m_underWay)]
        += told >= 0 ? static_cast<std::size_t>(told) : bytesSentBy(operation, rank(), size());
    return done;
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
    const auto linkWith
        = [this](int other) { return other < 0 || !m_hasLinks ? Link{} : between(link(rank()), link(other)); };
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
