#include "script/python_template.h"

#include "script/sections.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace lockstep::script {

namespace {

constexpr std::string_view Use = "#use ";
constexpr std::string_view If = "#if ";
constexpr std::string_view Else = "#else";
constexpr std::string_view End = "#end";

const std::string& valueOf(std::string_view name, const Values& values)
{
    const auto found = values.texts.find(name);
    assert(found != values.texts.end());
    return found->second;
}

/// With the values in the places of their names.
std::string filledIn(std::string_view line, const Values& values)
{
    std::string text;
    for (std::size_t at = line.find('@'); at != std::string_view::npos; at = line.find('@')) {
        const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at + 1);
        const bool isName = end != std::string_view::npos && end > at + 1 && line[end] == '@';
        text += line.substr(0, at);
        text += isName ? valueOf(line.substr(at + 1, end - at - 1), values) : "@";
        line.remove_prefix(isName ? end + 1 : at + 1); // else a decorator of Python
    }
    return text.append(line);
}

bool isEmptyValue(std::string_view line, const std::string& filled)
{
    return !line.empty() && filled.find_first_not_of(' ') == std::string::npos;
}

} // namespace

std::string expand(std::string_view section, const Values& values)
{
    std::string_view rest = sectionText(section);
    assert(!rest.empty());
    std::string text;
    std::vector<bool> conditions; // of the #if around a line
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const bool isWanted = std::find(conditions.begin(), conditions.end(), false) == conditions.end();
        if (line.starts_with(If)) {
            conditions.push_back(values.flags.contains(line.substr(If.size())));
        } else if (line == Else) {
            conditions.back() = !conditions.back();
        } else if (line == End) {
            conditions.pop_back();
        } else if (isWanted && line.starts_with(Use)) {
            text += expand(filledIn(line.substr(Use.size()), values), values);
        } else if (const std::string filled = isWanted ? filledIn(line, values) : std::string();
                   isWanted && !isEmptyValue(line, filled)) {
            text += filled + "\n";
        }
    }
    assert(conditions.empty());
    return text;
}

} // namespace lockstep::script
