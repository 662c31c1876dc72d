#include "engine/comm/renamed.h"

#include <charconv>
#include <string_view>

namespace lockstep::comm {

namespace {

constexpr std::string_view Word = "rank ";
constexpr std::string_view Global = "global ";

std::string renamedAs(const std::string& message, std::span<const int> ranks, std::string_view prefix)
{
    std::string result;
    std::size_t from = 0;
    for (std::size_t at = message.find(Word); at != std::string::npos; at = message.find(Word, from)) {
        const char* number = message.data() + at + Word.size();
        std::size_t rank = 0;
        const auto [end, failed] = std::from_chars(number, message.data() + message.size(), rank);
        result.append(message, from, at - from);
        from = at + Word.size();
        const bool isGlobal = at >= Global.size() && message.compare(at - Global.size(), Global.size(), Global) == 0;
        const bool isMeant = failed == std::errc() && rank < ranks.size() && !isGlobal;
        result.append(isMeant ? prefix : std::string_view()).append(Word);
        if (isMeant) {
            result += std::to_string(ranks[rank]);
            from = static_cast<std::size_t>(end - message.data());
        }
    }
    return result.append(message, from);
}

} // namespace

std::string renamed(const std::string& message, std::span<const int> ranks)
{
    return renamedAs(message, ranks, {});
}

std::string renamedGlobally(const std::string& message, std::span<const int> ranks)
{
    return renamedAs(message, ranks, Global);
}

std::string inNumbersOfRun(std::string message)
{
    const std::string global = std::string(Global) + std::string(Word);
    for (auto at = message.find(global); at != std::string::npos; at = message.find(global, at)) {
        message.erase(at, Global.size());
    }
    return message;
}

} // namespace lockstep::comm
