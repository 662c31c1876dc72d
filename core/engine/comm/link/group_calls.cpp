#include "engine/comm/link/group_calls.h"

#include "base/clock.h"

#include <algorithm>
#include <utility>

namespace lockstep::comm {

namespace {

std::string callText(const CallRecord::Entry& entry)
{
    std::string text = std::string(nameOf(entry.call)) + " number " + std::to_string(entry.number);
    if (isMessage(entry.call)) {
        text += (entry.call == Call::Send ? " to rank " : " from rank ") + std::to_string(entry.peer);
    }
    return text;
}

/// An operation that was started: the rank waits for it once it asks for the result. `open` as in GroupCalls.
class WatchedWork final : public Work {
public:
    WatchedWork(std::unique_ptr<Work> work, std::shared_ptr<RankCalls> calls, std::int64_t open)
        : m_work(std::move(work))
        , m_calls(std::move(calls))
        , m_open(open)
    {
        mark(0);
    }

    [[nodiscard]] bool isDone() const override { return m_work->isDone(); }
    [[nodiscard]] Result<void> wait() override
    {
        mark(monotonicNs());
        return m_work->wait();
    }
    [[nodiscard]] OperationTimes times() const override { return m_work->times(); }

private:
    void mark(std::int64_t ns) const
    {
        m_calls->record->wait(m_calls->rank, m_open / 2, ns);
        if (m_open % 2 != 0) {
            m_calls->record->wait(m_calls->rank, m_open / 2 + 1, ns);
        }
    }

    std::unique_ptr<Work> m_work;
    std::shared_ptr<RankCalls> m_calls;
    std::int64_t m_open;
};

} // namespace

GroupCalls::GroupCalls() = default;

void GroupCalls::begin(std::shared_ptr<RankCalls> calls, const std::vector<int>& members, int group)
{
    m_calls = std::move(calls);
    m_group = group;
    m_members = members;
    m_memberBits = 0;
    for (const int member : members) {
        m_memberBits |= std::uint64_t{1} << member;
    }
    m_sends.assign(members.size(), 0);
    m_receives.assign(members.size(), 0);
    m_open = std::make_unique<std::array<std::atomic<std::int64_t>, MostOpen>>();
}

std::atomic<std::int64_t>& GroupCalls::openAt(std::int64_t operation)
{
    return (*m_open)[static_cast<std::size_t>(operation) % MostOpen];
}

CallRecord::Entry GroupCalls::entryOf(Call call, int peer, std::int64_t bytes, std::int64_t ns)
{
    CallRecord::Entry entry{
        .call = call, .group = m_group, .members = m_memberBits, .bytes = bytes, .enteredNs = ns, .waitedNs = ns};
    if (!isMessage(call)) {
        entry.number = ++m_collectives;
        return entry;
    }
    const auto place = static_cast<std::size_t>(peer);
    entry.peer = m_members[place];
    entry.number = ++(call == Call::Send ? m_sends : m_receives)[place];
    return entry;
}

Result<void> GroupCalls::stayOutIfAsked(std::int64_t place, const CallRecord::Entry& entry) const
{
    if (*m_calls->isOut) {
        return failure(LS_TR("Messages", "follows a call that this rank did not enter"));
    }
    if (place != m_calls->skipped) {
        return {};
    }
    Error error = m_calls->stayOut(callText(entry));
    *m_calls->isOut = true;
    return error;
}

Result<void> GroupCalls::enter(const Operation& operation, std::int64_t ns)
{
    if (!m_calls) {
        return {};
    }
    const auto in = static_cast<std::int64_t>(operation.in.byteCount());
    const auto out = static_cast<std::int64_t>(operation.out.byteCount());
    const bool sends = operation.what == Collective::SendReceive && operation.to >= 0;
    const bool receives = operation.what == Collective::SendReceive && operation.from >= 0;
    const bool isBoth = sends && receives;
    std::int64_t place = m_calls->record->reserve(m_calls->rank, isBoth ? 2 : 1);
    openAt(m_entered++).store(2 * place + (isBoth ? 1 : 0), std::memory_order_relaxed);
    const auto add = [&](const CallRecord::Entry& entry) -> Result<void> {
        LOCKSTEP_TRY(stayOutIfAsked(place, entry));
        m_calls->record->enter(m_calls->rank, place++, entry);
        return {};
    };
    if (sends) {
        LOCKSTEP_TRY(add(entryOf(Call::Send, operation.to, in, ns)));
    }
    if (receives) {
        return add(entryOf(Call::Receive, operation.from, out, ns));
    }
    return sends ? Result<void>() : add(entryOf(callOf(operation.what), -1, std::max(in, out), ns));
}

std::unique_ptr<Work> GroupCalls::watch(std::unique_ptr<Work> work)
{
    if (!m_calls) {
        return work;
    }
    const std::int64_t open = openAt(m_entered - 1).load(std::memory_order_relaxed);
    return std::make_unique<WatchedWork>(std::move(work), m_calls, open);
}

void GroupCalls::complete()
{
    if (!m_calls) {
        return;
    }
    const std::int64_t open = openAt(m_completed++).load(std::memory_order_relaxed);
    const std::int64_t now = monotonicNs();
    m_calls->record->leave(m_calls->rank, open / 2, now);
    if (open % 2 != 0) {
        m_calls->record->leave(m_calls->rank, open / 2 + 1, now);
    }
}

Result<std::int64_t> GroupCalls::enterOne(Call call, int peer, std::int64_t bytes, std::int64_t ns)
{
    if (!m_calls) {
        return 0;
    }
    const std::int64_t place = m_calls->record->reserve(m_calls->rank, 1);
    const CallRecord::Entry entry = entryOf(call, peer, bytes, ns);
    LOCKSTEP_TRY(stayOutIfAsked(place, entry));
    m_calls->record->enter(m_calls->rank, place, entry);
    return place;
}

void GroupCalls::leave(std::int64_t place)
{
    if (m_calls) {
        m_calls->record->leave(m_calls->rank, place, monotonicNs());
    }
}

} // namespace lockstep::comm
