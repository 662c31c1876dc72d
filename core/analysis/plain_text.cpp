#include "analysis/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lockstep::analysis {

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

struct Sign {
    std::string_view sign;
    std::string_view latex;
};

/// The hyphen, because two in a row would become a dash; [ and *, because they would be options of a line's end.
constexpr std::array LatexSigns{Sign{"\\", "\\textbackslash{}"}, Sign{"{", "\\{"}, Sign{"}", "\\}"}, Sign{"$", "\\$"},
    Sign{"&", "\\&"}, Sign{"#", "\\#"}, Sign{"%", "\\%"}, Sign{"_", "\\_\\allowbreak{}"},
    Sign{"^", "\\textasciicircum{}"}, Sign{"~", "\\textasciitilde{}"}, Sign{"[", "{[}"}, Sign{"]", "{]}"},
    Sign{"*", "{*}"}, Sign{"<", "\\textless{}"}, Sign{">", "\\textgreater{}"}, Sign{"|", "\\textbar{}"},
    Sign{"\"", "\\textquotedbl{}"}, Sign{"-", "{-}"}, Sign{"`", "\\textasciigrave{}"}, Sign{"'", "{'}"},
    Sign{"\n", " "}, Sign{"\t", " "}, Sign{"–", "\\textendash{}"}, Sign{"−", "\\ensuremath{-}"},
    Sign{"×", "\\ensuremath{\\times}"}, Sign{"·", "\\ensuremath{\\cdot}"}, Sign{"±", "\\ensuremath{\\pm}"},
    Sign{"µ", "\\ensuremath{\\mu}"}, Sign{"μ", "\\ensuremath{\\mu}"}, Sign{"α", "\\ensuremath{\\alpha}"},
    Sign{"β", "\\ensuremath{\\beta}"}, Sign{"Δ", "\\ensuremath{\\Delta}"}, Sign{"∞", "\\ensuremath{\\infty}"},
    Sign{"≤", "\\ensuremath{\\leq}"}, Sign{"≥", "\\ensuremath{\\geq}"}, Sign{"≈", "\\ensuremath{\\approx}"},
    Sign{"→", "\\ensuremath{\\rightarrow}"}, Sign{"⁻", "\\ensuremath{^{-}}"}, Sign{"⁰", "\\ensuremath{^{0}}"},
    Sign{"¹", "\\ensuremath{^{1}}"}, Sign{"²", "\\ensuremath{^{2}}"}, Sign{"³", "\\ensuremath{^{3}}"},
    Sign{"⁴", "\\ensuremath{^{4}}"}, Sign{"⁵", "\\ensuremath{^{5}}"}, Sign{"⁶", "\\ensuremath{^{6}}"},
    Sign{"⁷", "\\ensuremath{^{7}}"}, Sign{"⁸", "\\ensuremath{^{8}}"}, Sign{"⁹", "\\ensuremath{^{9}}"},
    Sign{"\u2028", " "}, Sign{"\u2029", " "}, Sign{"\uFFFD", "?"}};

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

std::string latexEscaped(std::string_view text)
{
    const std::string clean = cleanText(text);
    std::string escaped;
    for (std::string_view rest = clean; !rest.empty();) {
        const auto known
            = std::ranges::find_if(LatexSigns, [rest](const Sign& each) { return rest.starts_with(each.sign); });
        const std::size_t length = known != LatexSigns.end() ? known->sign.size() : characterLength(rest);
        const bool isBeyondFonts = known == LatexSigns.end() && length == 4; // text fonts of TeX have none of these
        escaped += known != LatexSigns.end() ? known->latex : isBeyondFonts ? "?" : rest.substr(0, length);
        rest.remove_prefix(length);
    }
    return escaped;
}

} // namespace lockstep::analysis
