#include "laboratory/careful_json.h"

namespace lockstep::laboratory {

namespace {

bool isTooDeep(std::string_view text)
{
    constexpr int MostBrackets = 64;
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

} // namespace lockstep::laboratory
