#include "laboratory/careful_json.h"

#include "base/translate.h"

#include <algorithm>

namespace lockstep::laboratory {

namespace {

constexpr int MostBrackets = 64;

bool isTooDeep(std::string_view text)
{
    int open = 0;
    bool isInString = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') {
            isInString = !isInString;
        } else if (isInString) {
            at += c == '\\' ? 1 : 0; // what follows ends no string
        } else if (c == '[' || c == '{') {
            if (++open > MostBrackets) {
                return true;
            }
        } else if (c == ']' || c == '}') {
            --open;
        }
    }
    return false;
}

} // namespace

nlohmann::ordered_json carefulJson(std::string_view text)
{
    return isTooDeep(text) ? nlohmann::ordered_json(nlohmann::ordered_json::value_t::discarded)
                           : nlohmann::ordered_json::parse(text, nullptr, false);
}

Text whyNoObject(std::string_view text)
{
    if (isTooDeep(text)) {
        return {LS_TR("Messages", "it has more than %1 brackets in one another"), {MostBrackets}};
    }
    try {
        [[maybe_unused]] const auto json = nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::ordered_json::parse_error& error) { // at the last byte that was read, from 1
        const std::string_view before = text.substr(0, std::min(error.byte, text.size() + 1) - 1);
        const std::size_t line = before.rfind('\n') + 1; // 0 without one
        return {
            LS_TR("Messages", "line %1, column %2"), {std::ranges::count(before, '\n') + 1, before.size() - line + 1}};
    }
    return LS_TR("Messages", "it is no object");
}

} // namespace lockstep::laboratory
