#include "engine/comm/failures.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::comm {

namespace {

constexpr std::string_view SaidOf = LS_TR("Messages", "%1: %2");
constexpr std::string_view GlobalRank = LS_TR("Messages", "global rank %1");
constexpr std::string_view NotAllArrived = LS_TR("Messages", "not all ranks have arrived within %1 s; %2");

Text globalRankName(std::int64_t rank)
{
    return {GlobalRank, {rank}};
}

/// As rankName() makes it; the argument is the number.
bool isRankName(const Text& text)
{
    static const std::string pattern = rankName(0).pattern;
    return text.pattern == pattern && text.arguments.size() == 1;
}

/// With `change` of each part for which it gives a text.
Text replaced(const Text& text, const std::function<Text(const Text& part)>& change)
{
    if (Text other = change(text); !other.empty()) {
        return other;
    }
    if (text.pattern.empty()) {
        return text;
    }
    std::vector<Text> arguments;
    for (const Text& each : text.arguments) {
        arguments.push_back(replaced(each, change));
    }
    return {text.pattern, std::move(arguments)};
}

Text renamedAs(const Text& text, std::span<const int> ranks, Text (*name)(std::int64_t rank))
{
    return replaced(text, [&](const Text& part) {
        for (std::size_t i = 0; isRankName(part) && i < ranks.size(); ++i) {
            if (part == rankName(static_cast<std::int64_t>(i))) {
                return name(ranks[i]);
            }
        }
        return Text();
    });
}

} // namespace

Text ofOperation(Collective what, const Text& text)
{
    return {SaidOf, {verbatim(nameOf(what)), text}};
}

Text withoutOperation(const Text& text, Collective what)
{
    const bool isThat
        = text.pattern == SaidOf && text.arguments.size() == 2 && text.arguments.front() == verbatim(nameOf(what));
    return isThat ? text.arguments.back() : text;
}

Text withoutOperation(const Text& text)
{
    for (const Collective what : AllCollectives) {
        if (Text bare = withoutOperation(text, what); bare != text) {
            return bare;
        }
    }
    return text;
}

Text saidBy(int rank, const Text& text)
{
    return {SaidOf, {rankName(rank), text}};
}

bool beginsWithRank(const Text& text)
{
    return text.pattern.starts_with("%1") && !text.arguments.empty() && isRankName(text.arguments.front());
}

Text renamed(const Text& text, std::span<const int> ranks)
{
    return renamedAs(text, ranks, rankName);
}

Text renamedGlobally(const Text& text, std::span<const int> ranks)
{
    return renamedAs(text, ranks, globalRankName);
}

Text globally(const Text& text)
{
    return replaced(
        text, [](const Text& part) { return isRankName(part) ? Text(GlobalRank, part.arguments) : Text(); });
}

Text inNumbersOfRun(const Text& text)
{
    return replaced(text, [](const Text& part) {
        return part.pattern == GlobalRank ? Text(rankName(0).pattern, part.arguments) : Text();
    });
}

Text whoIsMissing(int ranks, const std::function<bool(int)>& isHere)
{
    std::string came;
    std::string missing;
    for (int rank = 0; rank < ranks; ++rank) {
        std::string& list = isHere(rank) ? came : missing;
        list += (list.empty() ? "" : ", ") + std::to_string(rank);
    }
    return missing.empty() ? Text()
                           : Text(LS_TR("Messages", "here: %1; missing: %2"), {verbatim(came), verbatim(missing)});
}

Text notAllArrived(std::chrono::milliseconds limit, const Text& missing)
{
    return missing.empty() ? notCompleted(limit) : Text(NotAllArrived, {limit.count() / 1000, missing});
}

Text notCompleted(std::chrono::milliseconds limit)
{
    return {LS_TR("Messages", "it has not been completed within %1 s; all ranks have arrived"), {limit.count() / 1000}};
}

bool isNotAllArrived(const Text& text)
{
    return text.pattern == NotAllArrived || std::ranges::any_of(text.arguments, isNotAllArrived);
}

Text leftTheGroup(int rank)
{
    return {LS_TR("Messages", "%1 has left the group"), {rankName(rank)}};
}

Text arraysDiffer(std::int64_t bytesOf0, std::int64_t rank, std::int64_t bytes)
{
    return {
        LS_TR("Messages", "a shared array: %1 wants %2 bytes, %3 %4"), {rankName(0), bytesOf0, rankName(rank), bytes}};
}

} // namespace lockstep::comm
