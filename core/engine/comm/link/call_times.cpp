#include "engine/comm/link/call_times.h"

#include "base/clock.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep::comm {

CallTimes::CallTimes(int rank, int size)
    : m_rank(rank)
    , m_size(size)
{ }

void CallTimes::measureWaiting(std::shared_ptr<Arrivals> arrivals)
{
    m_arrivals = std::move(arrivals);
    m_groups = std::make_shared<int>(1);
    m_members.resize(static_cast<std::size_t>(m_size));
    std::iota(m_members.begin(), m_members.end(), 0);
}

void CallTimes::passOn(CallTimes& group, const std::vector<int>& members, int number) const
{
    group.m_members.clear();
    for (const int member : members) {
        group.m_members.push_back(m_members[static_cast<std::size_t>(member)]);
    }
    if (m_recorded.calls()) {
        group.m_recorded.begin(m_recorded.calls(), group.m_members, number);
    }
    *m_groups = number + 1;
    group.m_groups = m_groups;
    if (number >= Arrivals::MostGroups) {
        return; // waiting is not measured there
    }
    group.m_group = number;
    group.m_arrivals = m_arrivals;
}

void CallTimes::record(std::shared_ptr<RankCalls> calls)
{
    m_recorded.begin(std::move(calls), m_members, m_group);
}

void CallTimes::report(const OperationTimes& times) const
{
    if (m_timer) {
        m_timer(times);
    }
}

bool CallTimes::isMeasured(const Operation& operation) const
{
    constexpr int Pair = 2;
    return m_arrivals && !m_isComposing && (operation.what != Collective::SendReceive || m_size == Pair);
}

void CallTimes::enter(Arrivals::Kind kind)
{
    Calls& calls = m_calls[static_cast<std::size_t>(kind)];
    m_arrivals->enter({m_members[static_cast<std::size_t>(m_rank)], m_group}, kind, ++calls.entered, m_enteredNs);
}

Result<void> CallTimes::entering(const Operation& operation)
{
    m_enteredNs = monotonicNs();
    if (!m_isComposing) {
        LOCKSTEP_TRY(m_recorded.enter(operation, m_enteredNs));
    }
    if (!isMeasured(operation)) {
        return {};
    }
    if (operation.what != Collective::SendReceive) {
        enter(Arrivals::Kind::Collective);
        return {};
    }
    if (operation.to >= 0) {
        enter(Arrivals::Kind::Send);
    }
    if (operation.from >= 0) {
        enter(Arrivals::Kind::Receive);
    }
    return {};
}

std::unique_ptr<Work> CallTimes::started(std::unique_ptr<Work> work)
{
    return m_isComposing ? std::move(work) : m_recorded.watch(std::move(work));
}

void CallTimes::leaving(const OperationTimes& times)
{
    if (!m_isComposing) {
        report({m_enteredNs, times.lastArrivalNs, times.exitNs, times.betweenHostsNs});
    } else {
        m_composedBetweenNs += times.betweenHostsNs;
    }
}

Result<void> CallTimes::beginComposed(Call what, std::int64_t bytes)
{
    m_enteredNs = m_composedNs = monotonicNs();
    LOCKSTEP_TRY_ASSIGN(m_composedPlace, m_recorded.enterOne(what, -1, bytes, m_enteredNs));
    if (m_arrivals) {
        enter(Arrivals::Kind::Collective);
    }
    m_composedBetweenNs = 0;
    m_isComposing = true;
    return {};
}

void CallTimes::carriedOut()
{
    if (!m_isComposing) {
        m_recorded.complete();
    }
}

void CallTimes::endComposed(bool isDone)
{
    m_isComposing = false;
    if (isDone) {
        m_recorded.leave(m_composedPlace);
    }
    report(
        {m_composedNs, m_arrivals ? lastArrivalOf(Arrivals::Kind::Collective) : 0, monotonicNs(), m_composedBetweenNs});
}

std::int64_t CallTimes::lastArrivalOf(Arrivals::Kind kind)
{
    const std::int64_t number = ++m_calls[static_cast<std::size_t>(kind)].left;
    // A partner's sends are this rank's receives.
    const auto theirs = kind == Arrivals::Kind::Send ? Arrivals::Kind::Receive
        : kind == Arrivals::Kind::Receive            ? Arrivals::Kind::Send
                                                     : kind;
    std::int64_t last = 1; // early enough, and known
    for (int other = 0; other < m_size; ++other) {
        const Arrivals::Place place{m_members[static_cast<std::size_t>(other)], m_group};
        if (other != m_rank || kind == Arrivals::Kind::Collective) {
            last = std::max(last, m_arrivals->entered(place, theirs, number));
        }
    }
    return last;
}

std::int64_t CallTimes::lastArrivalOf(const Operation& operation)
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

} // namespace lockstep::comm
