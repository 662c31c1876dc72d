#include "exchange/report/escape.h"

#include "analysis/plain_text.h"

#include <algorithm>
#include <array>
#include <span>

namespace lockstep::report {

namespace {

struct Escape {
    char sign;
    std::string_view instead;
};

constexpr std::array XmlEscapes{
    Escape{'&', "&amp;"}, Escape{'<', "&lt;"}, Escape{'>', "&gt;"}, Escape{'"', "&quot;"}, Escape{'\'', "&#39;"}};
constexpr std::array MarkdownEscapes{Escape{'\\', "\\\\"}, Escape{'`', "\\`"}, Escape{'*', "\\*"}, Escape{'_', "\\_"},
    Escape{'[', "\\["}, Escape{']', "\\]"}, Escape{'<', "&lt;"}, Escape{'>', "&gt;"}, Escape{'&', "&amp;"},
    Escape{'|', "\\|"}, Escape{'~', "\\~"}, Escape{'$', "\\$"}, Escape{'#', "\\#"}, Escape{'!', "\\!"}};

std::string replaced(std::string_view text, std::span<const Escape> escapes)
{
    std::string result;
    for (const char& each : text) {
        const auto found = std::ranges::find(escapes, each, &Escape::sign);
        result += found == escapes.end() ? std::string_view(&each, 1) : found->instead;
    }
    return result;
}

/// Where the mark is by which a line begins a list, a heading's underline or a rule: `1. `, `- `, `---`; npos if it
/// does not.
std::size_t listOrRule(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t mark = line.find_first_not_of("0123456789", begin);
    if (mark == std::string_view::npos) {
        return mark;
    }
    const char next = mark + 1 < line.size() ? line[mark + 1] : ' ';
    const bool isNumber = mark > begin && (line[mark] == '.' || line[mark] == ')') && next == ' ';
    const bool isSign = mark == begin && std::string_view("+-=").find(line[mark]) != std::string_view::npos
        && (next == ' ' || next == line[mark]);
    return isNumber || isSign ? mark : std::string_view::npos;
}

} // namespace

std::string xmlEscaped(std::string_view text)
{
    return replaced(analysis::cleanLine(text), XmlEscapes);
}

std::string xmlEscapedLines(std::string_view text)
{
    return replaced(analysis::cleanText(text), XmlEscapes);
}

std::string markdownEscaped(std::string_view text)
{
    std::string escaped = replaced(analysis::cleanLine(text), MarkdownEscapes);
    const std::size_t mark = listOrRule(escaped);
    if (mark != std::string::npos) {
        escaped.insert(mark, "\\");
    }
    return escaped;
}

std::vector<std::string> paragraphsOf(std::string_view text)
{
    std::vector<std::string> paragraphs;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            paragraphs.emplace_back(line);
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return paragraphs;
}

} // namespace lockstep::report
