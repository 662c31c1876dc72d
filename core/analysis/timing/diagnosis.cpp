#include "analysis/timing/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

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
    RecordedCall in; ///< of `by`
    std::int64_t sinceNs;
};

/// Its rank waits in it.
bool isHeldUp(const RecordedCall& call)
{
    return call.leftNs == 0 && call.waitedNs != 0;
}

bool isWaiting(const RankCallHistory& rank)
{
    return std::ranges::any_of(rank.calls, isHeldUp);
}

std::vector<Awaited> awaitedIn(std::span<const RankCallHistory> ranks)
{
    std::vector<Awaited> awaited;
    for (const RankCallHistory& by : ranks) {
        for (const RecordedCall& waited : by.calls) {
            if (!isHeldUp(waited)) {
                continue;
            }
            const RecordedCall& call = oldestOpen(by, waited);
            for (const RankCallHistory& other : ranks) {
                const bool isPartner = isMessage(call.call) ? other.rank == call.peer : isIn(call.members, other.rank);
                if (isPartner && other.rank != by.rank && !hasEntered(other, call, by.rank)) {
                    awaited.push_back({&by, &other, call, waited.waitedNs});
                }
            }
        }
    }
    return awaited;
}

/// The call of `awaited.rank` that `awaited.by` waits for.
bool isAwaited(const RecordedCall& call, const Awaited& awaited)
{
    const RecordedCall& waiting = awaited.in;
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

/// How many calls before `end` are of one step.
std::size_t inStepBefore(const std::vector<RecordedCall>& calls, std::size_t end)
{
    std::size_t count = 0;
    while (count < end && calls[end - 1 - count].step == calls[end - 1].step) {
        ++count;
    }
    return count;
}

/// Also the messages to or from `rank` that others did not have to wait for: a send returns before it is received.
std::vector<Awaited> unmetBy(
    const RankCallHistory& rank, std::span<const RankCallHistory> ranks, const std::vector<Awaited>& awaited)
{
    std::vector<Awaited> unmet;
    std::ranges::copy_if(
        awaited, std::back_inserter(unmet), [&rank](const Awaited& each) { return each.rank == &rank; });
    for (const RankCallHistory& by : ranks) {
        const auto waiting = std::ranges::find_if(by.calls, isHeldUp);
        if (waiting == by.calls.end()) {
            continue;
        }
        for (const Call kind : {Call::Send, Call::Receive}) {
            const auto first = std::ranges::find_if(by.calls, [&](const RecordedCall& call) {
                return call.call == kind && call.peer == rank.rank && !hasEntered(rank, call, by.rank);
            });
            if (first != by.calls.end() && !isHeldUp(*first)) {
                unmet.push_back({&by, &rank, *first, waiting->waitedNs});
            }
        }
    }
    // A rank ends a step's calls before it begins those of the next.
    const auto earliest = std::ranges::min(unmet, {}, [](const Awaited& each) { return each.in.step; }).in.step;
    std::erase_if(unmet, [earliest](const Awaited& each) { return each.in.step > earliest; });
    return unmet;
}

/// The message that `rank` has yet to enter if it repeats the call at `place`; the other side has not come to it,
/// because it waits elsewhere.
std::optional<Awaited> foreseen(const RankCallHistory& rank, std::size_t place, std::span<const RankCallHistory> ranks)
{
    const RecordedCall& earlier = rank.calls[place];
    const auto by = std::ranges::find(ranks, earlier.peer, &RankCallHistory::rank);
    if (!isMessage(earlier.call) || by == ranks.end()) {
        return std::nullopt;
    }
    const auto waiting = std::ranges::find_if(by->calls, isHeldUp);
    if (waiting == by->calls.end()) {
        return std::nullopt;
    }
    RecordedCall in{.call = counterpart(earlier.call),
        .step = waiting->step,
        .number = earlier.number,
        .group = earlier.group,
        .members = earlier.members,
        .peer = rank.rank};
    for (const RecordedCall& call : rank.calls) {
        if (call.call == earlier.call && call.peer == earlier.peer && isSameGroup(call, earlier)) {
            in.number = call.number + 1;
        }
    }
    return Awaited{&*by, &rank, in, waiting->waitedNs};
}

/// Of several calls that a rank did not enter: the next in the order that its calls had in an earlier step. Where no
/// step shows that order: what it receives comes before what it sends of the same number.
Awaited nextOwnCall(const std::vector<Awaited>& unmet, const Awaited& first, std::span<const RankCallHistory> ranks)
{
    const std::vector<RecordedCall>& calls = first.rank->calls;
    Awaited next = first;
    for (const Awaited& each : unmet) {
        const bool isReceived = each.in.call == Call::Send && first.in.call == Call::Receive;
        if (isReceived && each.in.number <= first.in.number) {
            next = each;
        }
    }
    std::pair<bool, std::size_t> closest{}; // an earlier step that began as the last one did, before other repetitions
    for (std::size_t place = 1; place < calls.size(); ++place) {
        const std::size_t repeated = repeatedBefore(calls, place);
        const std::size_t inStep = inStepBefore(calls, place);
        const std::pair likeness{inStep <= repeated && inStep == inStepBefore(calls, calls.size()), repeated};
        if (repeated == 0 || likeness <= closest) {
            continue;
        }
        const auto meets = [&](const Awaited& each) { return isAwaited(calls[place], each); };
        const auto found = std::find_if(unmet.begin(), unmet.end(), meets);
        if (found != unmet.end()) {
            next = *found;
            closest = likeness;
        } else if (const auto other = foreseen(*first.rank, place, ranks); other && likeness.first) {
            next = *other;
            closest = likeness;
        }
    }
    return next;
}

} // namespace

std::optional<MissedCall> missedCall(std::span<const RankCallHistory> ranks)
{
    const std::vector<Awaited> awaited = awaitedIn(ranks);
    const auto isBefore = [](const Awaited& a, const Awaited& b) {
        const bool aWaits = isWaiting(*a.rank);
        const bool bWaits = isWaiting(*b.rank);
        return std::tuple(aWaits, a.in.step, a.sinceNs) < std::tuple(bWaits, b.in.step, b.sinceNs);
    };
    const auto first = std::min_element(awaited.begin(), awaited.end(), isBefore);
    if (first == awaited.end()) {
        return std::nullopt;
    }
    const Awaited found = nextOwnCall(unmetBy(*first->rank, ranks, awaited), *first, ranks);
    const RecordedCall& call = found.in;
    MissedCall missed{.rank = found.rank->rank,
        .call = counterpart(call.call),
        .number = call.number,
        .step = call.step,
        .waitedSeconds = static_cast<double>(found.by->timeNs - found.sinceNs) / 1e9};
    for (const RankCallHistory& each : ranks) {
        if (isIn(call.members, each.rank)) {
            missed.members.push_back(each.rank);
        }
        missed.isOfAll = missed.isOfAll && isIn(call.members, each.rank);
    }
    missed.peer = isMessage(call.call) ? found.by->rank : -1;
    return missed;
}

Text sentence(const MissedCall& missed)
{
    const std::string waited = fmt::format("{:.{}f}", missed.waitedSeconds, missed.waitedSeconds < 10.0 ? 1 : 0);
    if (isMessage(missed.call)) {
        return {missed.call == Call::Send
                ? LS_TR("Messages", "rank %1 never entered send number %2 to rank %3, which waited %4 s")
                : LS_TR("Messages", "rank %1 never entered recv number %2 from rank %3, which waited %4 s"),
            {missed.rank, missed.number, missed.peer, verbatim(waited)}};
    }
    if (!missed.isOfAll) {
        return {LS_TR("Messages", "rank %1 never entered %2 number %3 of ranks %4, the others waited %5 s"),
            {missed.rank, verbatim(nameOf(missed.call)), missed.number,
                verbatim(fmt::format("{}", fmt::join(missed.members, ", "))), verbatim(waited)}};
    }
    return {LS_TR("Messages", "rank %1 never entered %2 number %3, the others waited %4 s"),
        {missed.rank, verbatim(nameOf(missed.call)), missed.number, verbatim(waited)}};
}

} // namespace lockstep::analysis
