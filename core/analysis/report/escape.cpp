#include "analysis/report/escape.h"

#include <array>
#include <cstdint>

namespace lockstep::report {

namespace {

constexpr std::string_view Replacement = "\xEF\xBF\xBD";

/// Bytes of the character that begins the text; 0 where they are no valid UTF-8, or a character that XML 1.0 forbids.
std::size_t characterLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) {
        return first >= 0x20 ? (first == 0x7F ? 0 : 1) : (first == '\n' || first == '\t' || first == '\r' ? 1 : 0);
    }
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) {
        return 0;
    }
    std::uint32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return 0;
        }
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> Least{0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool isControl = code >= 0x80 && code <= 0x9F;
    // Marks that turn the direction of what follows.
    const bool isDirection = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return code < Least[length] || code > 0x10FFFF || isSurrogate || isControl || isDirection
            || (code & 0xFFFEU) == 0xFFFEU
        ? 0
        : length;
}

/// Every ASCII character that has a meaning is replaced; the others stay.
template <typename Replace>
std::string replaced(std::string_view text, Replace replace)
{
    std::string result;
    for (const char each : cleanText(text)) {
        const std::string_view other = replace(each);
        if (other.empty()) {
            result += each;
        } else {
            result += other;
        }
    }
    return result;
}

} // namespace

namespace {

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

std::string cleanText(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0) {
            result += Replacement;
            text.remove_prefix(1);
            continue;
        }
        if (text.front() != '\r') {
            result += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    return result;
}

std::string xmlEscaped(std::string_view text)
{
    return replaced(text, [](char each) -> std::string_view {
        switch (each) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
        }
    });
}

std::string markdownEscaped(std::string_view text)
{
    std::string escaped = replaced(text, [](char each) -> std::string_view {
        switch (each) {
        case '\\':
            return "\\\\";
        case '`':
            return "\\`";
        case '*':
            return "\\*";
        case '_':
            return "\\_";
        case '[':
            return "\\[";
        case ']':
            return "\\]";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '&':
            return "&amp;";
        case '|':
            return "\\|";
        case '~':
            return "\\~";
        case '$':
            return "\\$";
        case '#':
            return "\\#";
        case '!':
            return "\\!";
        case '\n':
        case '\t':
            return " ";
        default:
            return {};
        }
    });
    const std::size_t mark = listOrRule(escaped);
    if (mark != std::string::npos) {
        escaped.insert(mark, "\\");
    }
    return escaped;
}

namespace {

/// Signs that the text fonts of TeX often lack.
std::string withMathSigns(std::string text)
{
    constexpr std::array<std::array<std::string_view, 2>, 9> Signs{
        {{"×", "\\ensuremath{\\times}"}, {"±", "\\ensuremath{\\pm}"}, {"µ", "\\ensuremath{\\mu}"},
            {"μ", "\\ensuremath{\\mu}"}, {"≤", "\\ensuremath{\\leq}"}, {"≥", "\\ensuremath{\\geq}"},
            {"≈", "\\ensuremath{\\approx}"}, {"∞", "\\ensuremath{\\infty}"}, {"→", "\\ensuremath{\\rightarrow}"}}};
    for (const auto& [sign, command] : Signs) {
        for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, at + command.size())) {
            text.replace(at, sign.size(), command);
        }
    }
    return text;
}

} // namespace

std::string latexEscaped(std::string_view text)
{
    return withMathSigns(replaced(text, [](char each) -> std::string_view {
        switch (each) {
        case '\\':
            return "\\textbackslash{}";
        case '{':
            return "\\{";
        case '}':
            return "\\}";
        case '$':
            return "\\$";
        case '&':
            return "\\&";
        case '#':
            return "\\#";
        case '%':
            return "\\%";
        case '_':
            return "\\_\\allowbreak{}";
        case '^':
            return "\\textasciicircum{}";
        case '~':
            return "\\textasciitilde{}";
        case '[':
            return "{[}";
        case ']':
            return "{]}";
        case '*':
            return "{*}";
        case '<':
            return "\\textless{}";
        case '>':
            return "\\textgreater{}";
        case '|':
            return "\\textbar{}";
        case '"':
            return "\\textquotedbl{}";
        case '-':
            return "{-}";
        case '`':
            return "\\textasciigrave{}";
        case '\'':
            return "{'}";
        case '\n':
        case '\t':
            return " ";
        default:
            return {};
        }
    }));
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
