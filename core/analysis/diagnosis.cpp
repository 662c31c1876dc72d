#include "analysis/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace lockstep::analysis {

namespace {

bool isSameGroup(const RecordedCall& a, const RecordedCall& b)
{
    return a.group == b.group && a.members == b.members;
}

/// Calls of a group return in the order in which they were entered: the oldest is the one that holds up `waited`.
const RecordedCall& oldestOpen(const RankCallHistory& of, const RecordedCall& waited)
{
    return *std::find_if(of.calls.begin(), of.calls.end(),
        [&](const RecordedCall& call) { return call.leftNs == 0 && isSameGroup(call, waited); });
}

/// The call that meets `call` on the other side.
Call counterpart(Call call)
{
    return call == Call::Send ? Call::Receive : call == Call::Receive ? Call::Send : call;
}

bool hasEntered(const RankCallHistory& other, const RecordedCall& call, std::int32_t caller)
{
    return std::any_of(other.calls.begin(), other.calls.end(), [&](const RecordedCall& theirs) {
        const bool meets = isMessage(call.call) ? theirs.call == counterpart(call.call) && theirs.peer == caller
                                                : !isMessage(theirs.call);
        return meets && isSameGroup(theirs, call) && theirs.number >= call.number;
    });
}

bool isIn(std::uint64_t members, std::int32_t rank)
{
    return ((members >> rank) & 1U) != 0;
}

/// A rank that another waits for.
struct Awaited {
    const RankCallHistory* by;
    const RankCallHistory* rank;
    const RecordedCall* in;
    std::int64_t sinceNs;
};

bool isWaiting(const RankCallHistory& rank)
{
    return std::any_of(rank.calls.begin(), rank.calls.end(),
        [](const RecordedCall& call) { return call.leftNs == 0 && call.waitedNs != 0; });
}

std::vector<Awaited> awaitedIn(std::span<const RankCallHistory> ranks)
{
    std::vector<Awaited> awaited;
    for (const RankCallHistory& by : ranks) {
        for (const RecordedCall& waited : by.calls) {
            if (waited.leftNs != 0 || waited.waitedNs == 0) {
                continue;
            }
            const RecordedCall& call = oldestOpen(by, waited);
            for (const RankCallHistory& other : ranks) {
                const bool isPartner = isMessage(call.call) ? other.rank == call.peer : isIn(call.members, other.rank);
                if (isPartner && other.rank != by.rank && !hasEntered(other, call, by.rank)) {
                    awaited.push_back({&by, &other, &call, waited.waitedNs});
                }
            }
        }
    }
    return awaited;
}

/// The call of `awaited.rank` that `awaited.by` waits for.
bool isAwaited(const RecordedCall& call, const Awaited& awaited)
{
    const RecordedCall& waiting = *awaited.in;
    return call.call == counterpart(waiting.call) && isSameGroup(call, waiting)
        && (!isMessage(waiting.call) || call.peer == awaited.by->rank);
}

/// How many of the last calls were made in the same order before the one at `place`: steps repeat their calls.
std::size_t repeatedBefore(const std::vector<RecordedCall>& calls, std::size_t place)
{
    std::size_t count = 0;
    while (count < place) {
        const RecordedCall& earlier = calls[place - 1 - count];
        const RecordedCall& last = calls[calls.size() - 1 - count];
        if (earlier.call != last.call || earlier.peer != last.peer || !isSameGroup(earlier, last)) {
            break;
        }
        ++count;
    }
    return count;
}

/// Several ranks may wait for one, in different calls: the one that it did not enter is the next in the order that its
/// calls had in an earlier step. `first` where no step shows that order.
const Awaited& nextOwnCall(const std::vector<Awaited>& awaited, const Awaited& first)
{
    const std::vector<RecordedCall>& calls = first.rank->calls;
    const Awaited* next = &first;
    std::size_t longest = 0;
    for (std::size_t place = 1; place < calls.size(); ++place) {
        const auto meets
            = [&](const Awaited& each) { return each.rank == first.rank && isAwaited(calls[place], each); };
        const auto found = std::find_if(awaited.begin(), awaited.end(), meets);
        const std::size_t repeated = repeatedBefore(calls, place);
        if (found != awaited.end() && repeated > longest) {
            next = &*found;
            longest = repeated;
        }
    }
    return *next;
}

} // namespace

std::optional<MissedCall> missedCall(std::span<const RankCallHistory> ranks)
{
    const std::vector<Awaited> awaited = awaitedIn(ranks);
    const auto isBefore = [](const Awaited& a, const Awaited& b) {
        const bool aWaits = isWaiting(*a.rank);
        const bool bWaits = isWaiting(*b.rank);
        return std::tuple(aWaits, a.in->step, a.sinceNs) < std::tuple(bWaits, b.in->step, b.sinceNs);
    };
    const auto first = std::min_element(awaited.begin(), awaited.end(), isBefore);
    if (first == awaited.end()) {
        return std::nullopt;
    }
    const Awaited* found = &nextOwnCall(awaited, *first);
    const RecordedCall& call = *found->in;
    MissedCall missed{.rank = found->rank->rank,
        .call = counterpart(call.call),
        .number = call.number,
        .step = call.step,
        .waitedSeconds = static_cast<double>(found->by->timeNs - found->sinceNs) / 1e9};
    for (const RankCallHistory& each : ranks) {
        if (isIn(call.members, each.rank)) {
            missed.members.push_back(each.rank);
        }
        missed.isOfAll = missed.isOfAll && isIn(call.members, each.rank);
    }
    missed.peer = isMessage(call.call) ? found->by->rank : -1;
    return missed;
}

std::string sentence(const MissedCall& missed)
{
    const std::string waited = fmt::format("{:.{}f}", missed.waitedSeconds, missed.waitedSeconds < 10.0 ? 1 : 0);
    if (isMessage(missed.call)) {
        return fmt::format("rank {} never entered {} number {} {} rank {}, which waited {} s", missed.rank,
            nameOf(missed.call), missed.number, missed.call == Call::Send ? "to" : "from", missed.peer, waited);
    }
    if (!missed.isOfAll) {
        return fmt::format("rank {} never entered {} number {} of ranks {}, the others waited {} s", missed.rank,
            nameOf(missed.call), missed.number, fmt::join(missed.members, ", "), waited);
    }
    return fmt::format("rank {} never entered {} number {}, the others waited {} s", missed.rank, nameOf(missed.call),
        missed.number, waited);
}

} // namespace lockstep::analysis
