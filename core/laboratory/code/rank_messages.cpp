#include "laboratory/code/rank_messages.h"

#include "analysis/plain_text.h"
#include "base/translate.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep::laboratory {

namespace {

constexpr std::int64_t LargestLine = 1'000'000;
constexpr std::int64_t MostBytes = std::int64_t{1} << 40; ///< of a call: those of all records still fit into a sum
constexpr std::size_t LongestCallName = 100; ///< of a call, in bytes
constexpr std::size_t MostRanksNamed = 3;

int lineOf(const Json& record)
{
    return static_cast<int>(std::clamp<std::int64_t>(integerIn(record, "line"), 0, LargestLine));
}

MessageCall callFrom(const Json& record, int rank, int world)
{
    MessageCall call;
    call.name
        = analysis::shortened(analysis::cleanLine(textIn(record, "name")), LongestCallName); // anything may be there
    call.rank = rank;
    const std::int64_t peer = integerIn(record, "peer");
    call.peer = peer >= 0 && peer < world ? static_cast<int>(peer) : -1;
    call.tag = integerIn(record, "tag");
    call.bytes = std::clamp<std::int64_t>(integerIn(record, "bytes"), 0, MostBytes);
    call.line = lineOf(record);
    call.group = {integerIn(record, "group"), integerIn(record, "members")};
    call.root = integerIn(record, "root");
    call.given = integerIn(record, "checksum");
    return call;
}

void take(RankMessages& into, const Json& record, std::map<std::int64_t, std::size_t>& places, int rank, int world)
{
    const std::string kind = textIn(record, "record");
    const std::int64_t index = integerIn(record, "index");
    const auto found = places.find(index);
    if (kind == "case") {
        into.hasBegun = true;
    } else if (kind == "call") {
        places[index] = into.calls.size();
        into.calls.push_back(callFrom(record, rank, world));
    } else if (kind == "wait" && found != places.end()) {
        MessageCall& call = into.calls[found->second];
        call.isWaiting = true;
        call.line = lineOf(record) > 0 ? lineOf(record) : call.line;
    } else if (kind == "done" && found != places.end()) {
        MessageCall& call = into.calls[found->second];
        call.isWaiting = false;
        call.hasEnded = true;
        call.before = integerIn(record, "before");
        call.left = integerIn(record, "checksum");
    } else if (kind == "result") {
        into.result = &record;
    } else if (kind == "layer") {
        into.layer = &record;
    } else if (kind == "over") {
        into.hasEnded = true;
    }
}

const MessageCall* waitingCall(const RankMessages& rank)
{
    const auto found = std::ranges::find_if(rank.calls, &MessageCall::isWaiting);
    return rank.hasEnded || found == rank.calls.end() ? nullptr : &*found;
}

Text waitText(const MessageCall& call)
{
    if (call.isSend()) {
        return {LS_TR("Messages", "rank %1 (line %2) waits for rank %3 to receive"), {call.rank, call.line, call.peer}};
    }
    if (call.isCollective()) {
        return {LS_TR("Messages", "rank %1 (line %2) waits in %3 for the other ranks"),
            {call.rank, call.line, verbatim(call.name)}};
    }
    if (call.peer < 0) {
        return {LS_TR("Messages", "rank %1 (line %2) waits for any rank to send"), {call.rank, call.line}};
    }
    return {LS_TR("Messages", "rank %1 (line %2) waits for rank %3 to send"), {call.rank, call.line, call.peer}};
}

/// `a; b; c`
Text joined(const std::vector<Text>& parts)
{
    Text all = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        all = Text(LS_TR("Messages", "%1; %2"), {all, parts[i]});
    }
    return all;
}

/// Each rank waits for the next one, from the first that is part of such a circle; else all that wait.
std::vector<const MessageCall*> namedWaits(std::span<const RankMessages> ranks)
{
    for (std::size_t first = 0; first < ranks.size(); ++first) {
        std::vector<const MessageCall*> circle;
        for (std::size_t at = first; circle.size() <= ranks.size();) {
            const MessageCall* call = waitingCall(ranks[at]);
            if (call == nullptr || call->peer < 0) {
                break;
            }
            circle.push_back(call);
            at = static_cast<std::size_t>(call->peer);
            if (at == first) {
                return circle;
            }
        }
    }
    std::vector<const MessageCall*> all;
    for (const RankMessages& rank : ranks) {
        if (const MessageCall* call = waitingCall(rank)) {
            all.push_back(call);
        }
    }
    return all;
}

std::optional<CodeVerdict> unfinished(const RankMessages& rank)
{
    const auto found = std::ranges::find_if(rank.calls, [](const MessageCall& call) { return !call.hasEnded; });
    if (!rank.hasEnded || found == rank.calls.end()) {
        return std::nullopt;
    }
    CodeVerdict verdict = wrong(failure(LS_TR("Messages", "rank %1: the %2 that begins in line %3 is not waited for"),
                                    {found->rank, verbatim(found->name), found->line}),
        found->line);
    return found->isCollective()
        ? withKnown(std::move(verdict), "not_waited",
            LS_TR("Messages", "a collective with async_op=True needs wait() before its result is used"))
        : withKnown(std::move(verdict), "not_waited",
            LS_TR("Messages", "a request of isend or irecv needs wait() before its buffer is used"));
}

std::optional<CodeVerdict> reused(const RankMessages& rank)
{
    const auto isReused = [](const MessageCall& call) {
        return call.hasEnded
            && (call.isSend() ? call.given != call.left : call.before >= 0 && call.given != call.before);
    };
    const auto found = std::ranges::find_if(rank.calls, isReused);
    if (found == rank.calls.end()) {
        return std::nullopt;
    }
    if (!found->isSend()) {
        return withKnown(wrong(failure(LS_TR("Messages", "rank %1: the tensor of %2 changes before the call has ended"),
                                   {found->rank, verbatim(found->name)}),
                             found->line),
            "used_before_wait",
            LS_TR("Messages", "the tensor of a call with async_op=True, or of irecv, is used before wait()"));
    }
    return withKnown(wrong(failure(LS_TR("Messages",
                                       "rank %1: the tensor that is sent to rank %2 changes before the send has ended"),
                               {found->rank, found->peer}),
                         found->line),
        "buffer_reused", LS_TR("Messages", "the buffer of isend is written to before wait()"));
}

using Channel = std::tuple<int, int, std::int64_t>; ///< from, to, tag
struct ChannelCalls {
    std::vector<const MessageCall*> sends;
    std::vector<const MessageCall*> receives;
};

/// None where a rank receives from any rank: which send that was is not recorded.
std::map<Channel, ChannelCalls> channelsOf(std::span<const RankMessages> ranks)
{
    std::map<Channel, ChannelCalls> channels;
    const bool hasAnySource = std::ranges::any_of(ranks, [](const RankMessages& rank) {
        return std::ranges::any_of(
            rank.calls, [](const MessageCall& call) { return call.isReceive() && call.peer < 0; });
    });
    if (hasAnySource) {
        return channels;
    }
    for (const RankMessages& rank : ranks) {
        for (const MessageCall& call : rank.calls) {
            if (call.isSend() && call.peer >= 0) {
                channels[{call.rank, call.peer, call.tag}].sends.push_back(&call);
            } else if (call.isReceive() && call.peer >= 0) {
                channels[{call.peer, call.rank, call.tag}].receives.push_back(&call);
            }
        }
    }
    return channels;
}

using GroupCalls = std::map<decltype(MessageCall::group), std::vector<const MessageCall*>>; ///< by group, in order

GroupCalls collectivesOf(const RankMessages& rank)
{
    GroupCalls calls;
    for (const MessageCall& call : rank.calls) {
        if (call.isCollective()) {
            calls[call.group].push_back(&call);
        }
    }
    return calls;
}

std::optional<CodeVerdict> differentCalls(const MessageCall& one, const MessageCall& other)
{
    if (one.name != other.name) {
        return withKnown(wrong(failure(LS_TR("Messages", "rank %1 calls %2 where rank %3 calls %4 (line %5)"),
                                   {other.rank, verbatim(other.name), one.rank, verbatim(one.name), one.line}),
                             other.line),
            "collectives_differ", LS_TR("Messages", "all ranks must call the same collectives in the same order"));
    }
    const bool isOfOneSize = one.name != "all_to_all" && one.name != "barrier";
    if (isOfOneSize && one.bytes != other.bytes) {
        return withKnown(wrong(failure(LS_TR("Messages", "rank %1 calls %2 with %3 bytes where rank %4 has %5 bytes"),
                                   {other.rank, verbatim(other.name), other.bytes, one.rank, one.bytes}),
                             other.line),
            "collectives_differ", LS_TR("Messages", "all ranks must call the same collectives in the same order"));
    }
    if (one.root != other.root) {
        return withKnown(
            wrong(failure(LS_TR("Messages", "%1: rank %2 names rank %3 as src or dst, rank %4 names rank %5"),
                      {verbatim(one.name), one.rank, one.root, other.rank, other.root}),
                other.line),
            "roots_differ", LS_TR("Messages", "all ranks must give a collective the same src or dst"));
    }
    return std::nullopt;
}

/// Calls of the same number in the same group, as far as both ranks came.
std::optional<CodeVerdict> differentCollectives(std::span<const RankMessages> ranks)
{
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
        const GroupCalls first = collectivesOf(ranks.front());
        for (const auto& [group, calls] : collectivesOf(ranks[rank])) {
            const auto found = first.find(group);
            for (std::size_t i = 0; found != first.end() && i < std::min(calls.size(), found->second.size()); ++i) {
                if (auto verdict = differentCalls(*found->second[i], *calls[i])) {
                    return verdict;
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<CodeVerdict> differentSizes(const MessageCall& send, const MessageCall& receive)
{
    if (send.bytes == receive.bytes) {
        return std::nullopt;
    }
    return withKnown(wrong(failure(LS_TR("Messages", "rank %1 sends %2 bytes to rank %3, which receives %4"),
                               {send.rank, send.bytes, send.peer, receive.bytes}),
                         receive.line),
        "sizes_differ", LS_TR("Messages", "the buffer of a receive needs the size of the piece that comes"));
}

std::optional<CodeVerdict> unequal(const ChannelCalls& channel)
{
    for (std::size_t i = 0; i < std::max(channel.sends.size(), channel.receives.size()); ++i) {
        if (i >= channel.receives.size()) {
            const MessageCall& send = *channel.sends[i];
            return withKnown(wrong(failure(LS_TR("Messages", "rank %1 sends to rank %2, which does not receive it"),
                                       {send.rank, send.peer}),
                                 send.line),
                "not_received", LS_TR("Messages", "a receive is missing"));
        }
        const MessageCall& receive = *channel.receives[i];
        if (i >= channel.sends.size()) {
            return wrong(failure(LS_TR("Messages", "rank %1 receives from rank %2, which sends nothing"),
                             {receive.rank, receive.peer}),
                receive.line);
        }
        const MessageCall& send = *channel.sends[i];
        if (auto verdict = differentSizes(send, receive)) {
            return verdict;
        }
        if (receive.hasEnded && send.given != receive.left) {
            return wrong(
                failure(LS_TR("Messages", "rank %1 received other bytes than rank %2 sent"), {receive.rank, send.rank}),
                receive.line);
        }
    }
    return std::nullopt;
}

std::int64_t bytesOf(const RankMessages& rank, bool (MessageCall::*isCounted)() const)
{
    std::int64_t sum = 0;
    for (const MessageCall& call : rank.calls) {
        sum += (call.*isCounted)() ? call.bytes : 0;
    }
    return sum;
}

const MessageCall* firstOf(std::span<const RankMessages> ranks, bool isCollective)
{
    for (const RankMessages& rank : ranks) {
        const auto found = std::ranges::find_if(
            rank.calls, [&](const MessageCall& call) { return call.isCollective() == isCollective; });
        if (found != rank.calls.end()) {
            return &*found;
        }
    }
    return nullptr;
}

} // namespace

std::vector<RankMessages> messagesIn(const Trial& trial, int ofCase, int world)
{
    std::vector<RankMessages> ranks(static_cast<std::size_t>(world));
    for (std::size_t i = 0; i < std::min(ranks.size(), trial.ranks.size()); ++i) {
        std::map<std::int64_t, std::size_t> places;
        for (const Json& record : trial.ranks[i].records) {
            if (integerIn(record, "case") == ofCase) {
                take(ranks[i], record, places, static_cast<int>(i), world);
            }
        }
    }
    return ranks;
}

std::optional<CodeVerdict> deadlockIn(const Trial& trial, std::span<const RankMessages> ranks)
{
    const bool hasFailed = std::ranges::any_of(trial.ranks,
        [](const RankTrial& rank) { return rank.end.how == TrialEnd::Signal || !recordsOf(rank, "error").empty(); });
    const auto waits = hasFailed ? std::vector<const MessageCall*>() : namedWaits(ranks);
    if (waits.empty()) {
        return std::nullopt;
    }
    const bool isWhole = std::ranges::all_of(
        ranks, [](const RankMessages& rank) { return rank.hasEnded || waitingCall(rank) != nullptr; });
    std::vector<Text> parts;
    for (std::size_t i = 0; i < std::min(waits.size(), MostRanksNamed); ++i) {
        parts.push_back(waitText(*waits[i]));
    }
    if (const auto peer = waits.front()->peer; peer >= 0 && ranks[static_cast<std::size_t>(peer)].hasEnded) {
        parts.resize(1);
        parts.emplace_back(LS_TR("Messages", "rank %1 has returned"), std::vector<Text>{peer});
    } else if (waits.size() > MostRanksNamed) {
        parts.emplace_back(LS_TR("Messages", "and %1 more"), std::vector<Text>{waits.size() - MostRanksNamed});
    }
    CodeVerdict verdict = wrong(isWhole ? failure(LS_TR("Messages", "deadlock: %1"), {joined(parts)})
                                        : failure(LS_TR("Messages", "not ended in time: %1"), {joined(parts)}),
        waits.front()->line);
    const bool isCircleOfSends = isWhole && waits.size() > 1
        && std::ranges::all_of(waits, [](const MessageCall* call) { return call->isSend(); });
    return isCircleOfSends ? withKnown(std::move(verdict), "all_send_first",
               LS_TR("Messages", "all ranks send before any receives: send waits for the receiver"))
                           : verdict;
}

std::optional<CodeVerdict> brokenCases(const Trial& trial, std::span<const std::vector<RankMessages>> cases)
{
    for (const std::vector<RankMessages>& ranks : cases) {
        for (const auto& [channel, calls] : channelsOf(ranks)) {
            for (std::size_t i = 0; i < std::min(calls.sends.size(), calls.receives.size()); ++i) {
                if (auto verdict = differentSizes(*calls.sends[i], *calls.receives[i])) {
                    return verdict;
                }
            }
        }
        if (auto verdict = differentCollectives(ranks)) {
            return verdict;
        }
        if (auto verdict = deadlockIn(trial, ranks)) {
            return verdict;
        }
    }
    return brokenTrial(trial);
}

std::optional<CodeVerdict> faultyMessage(std::span<const RankMessages> ranks)
{
    if (auto verdict = differentCollectives(ranks)) {
        return verdict;
    }
    for (const RankMessages& rank : ranks) {
        if (auto verdict = reused(rank)) {
            return verdict;
        }
    }
    for (const auto& [channel, calls] : channelsOf(ranks)) {
        if (auto verdict = unequal(calls)) {
            return verdict;
        }
    }
    for (const RankMessages& rank : ranks) {
        if (auto verdict = unfinished(rank)) {
            return verdict;
        }
    }
    return std::nullopt;
}

const MessageCall* firstCollective(std::span<const RankMessages> ranks)
{
    return firstOf(ranks, true);
}

const MessageCall* firstMessage(std::span<const RankMessages> ranks)
{
    return firstOf(ranks, false);
}

std::int64_t bytesSent(const RankMessages& rank)
{
    return bytesOf(rank, &MessageCall::isSend);
}

std::int64_t bytesReceived(const RankMessages& rank)
{
    return bytesOf(rank, &MessageCall::isReceive);
}

CodeVerdict withKnown(CodeVerdict verdict, std::string_view key, Text name, std::string formula)
{
    verdict.mistake = key;
    verdict.mistakeName = std::move(name);
    verdict.mistakeFormula = std::move(formula);
    return verdict;
}

} // namespace lockstep::laboratory
