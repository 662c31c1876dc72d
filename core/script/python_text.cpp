#include "script/python_text.h"

#include "base/text.h"

#include <fmt/format.h>

#include <sstream>

namespace lockstep::script {

namespace {

constexpr std::size_t LongestLine = 118;

} // namespace

std::string pythonFloat(double number)
{
    const std::string text = fmt::format("{}", number);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string pythonList(std::span<const double> numbers)
{
    return "[" + listed(numbers, pythonFloat) + "]";
}

std::string pythonString(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) {
            quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
        }
    }
    return quoted + "\"";
}

std::string pythonStrings(std::span<const std::string> texts)
{
    return "[" + listed(texts, pythonString) + "]";
}

std::string pythonItems(const std::vector<std::string>& items, std::size_t indent)
{
    const std::string oneLine = listed(items);
    if (oneLine.size() + 2 * indent + 16 <= LongestLine) {
        return oneLine;
    }
    const std::string begin = "\n" + std::string(2 * indent, ' ');
    std::string text = begin;
    std::size_t column = 2 * indent;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
        if (column > 2 * indent && column + 1 + item.size() > LongestLine) {
            text += begin;
            column = 2 * indent;
        }
        text += (column > 2 * indent ? " " : "") + item;
        column += item.size() + 1;
    }
    return text;
}

std::string wrapped(const std::string& text, const std::string& prefix)
{
    std::istringstream words(text);
    std::string lines = prefix;
    std::size_t column = 0;
    for (std::string word; words >> word;) {
        if (column > 0 && prefix.size() + column + 1 + word.size() > LongestLine) {
            lines += "\n" + prefix;
            column = 0;
        } else if (column > 0) {
            lines += " ";
            ++column;
        }
        lines += word;
        column += word.size();
    }
    return lines;
}

std::string comment(const std::string& text)
{
    return wrapped(text, "# ");
}

} // namespace lockstep::script
