#include "analysis/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace lockstep::analysis {

namespace {

constexpr std::string_view Replacement = "\xEF\xBF\xBD";
constexpr std::string_view EndOfLine = "↵";
constexpr std::string_view Ellipsis = "…";
constexpr std::size_t MostFileNameBytes = 96; ///< with a number and a suffix still below 120

struct Character {
    char32_t code = 0;
    std::size_t length = 0; ///< in bytes; 0 where they are no valid UTF-8
};

/// The character that begins the text, which is not empty.
Character firstOf(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) {
        return {};
    }
    char32_t code = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return {};
        }
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> Least{0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < Least[length] || code > 0x10FFFF || isSurrogate ? Character{} : Character{code, length};
}

bool isWithin(char32_t code, char32_t first, char32_t last)
{
    return code >= first && code <= last;
}

/// ASCII without control characters, as most texts are.
bool isPlain(std::string_view text)
{
    return std::ranges::all_of(text, [](char each) { return each >= ' ' && each < 0x7F; });
}

/// Not to be shown: a terminal obeys it, XML forbids it, or it turns the direction of what follows.
bool isHarmful(char32_t code)
{
    const bool isControl = (code < 0x20 && code != '\n' && code != '\t' && code != '\r') || isWithin(code, 0x7F, 0x9F);
    const bool isDirection = code == 0x061C || code == 0x200E || code == 0x200F || isWithin(code, 0x202A, 0x202E)
        || isWithin(code, 0x2066, 0x2069);
    return isControl || isDirection || (code & 0xFFFEU) == 0xFFFEU;
}

/// Belongs to the character before it: an accent, a variation, a joiner, the tone of a face.
bool isJoined(char32_t code)
{
    return isWithin(code, 0x0300, 0x036F) || isWithin(code, 0x20D0, 0x20FF) || isWithin(code, 0xFE00, 0xFE0F)
        || code == 0x200D || isWithin(code, 0x1F3FB, 0x1F3FF);
}

/// Of a file's name: letters and digits, in every script; beyond ASCII neither blanks nor what is not seen.
bool isNamePart(char32_t code)
{
    if (code < 0x80) {
        return isWithin(code, 'a', 'z') || isWithin(code, 'A', 'Z') || isWithin(code, '0', '9') || code == '_'
            || code == '.' || code == '-';
    }
    const bool isBlank = code == 0xA0 || code == 0x1680 || isWithin(code, 0x2000, 0x200A) || code == 0x202F
        || code == 0x205F || code == 0x3000 || code == 0x2028 || code == 0x2029;
    const bool isUnseen = code == 0xAD || isWithin(code, 0x200B, 0x200F) || isWithin(code, 0x2060, 0x206F)
        || code == 0xFEFF || isWithin(code, 0xFFF9, 0xFFFB) || isWithin(code, 0xE0000, 0xE0FFF);
    return !isBlank && !isUnseen && !isHarmful(code);
}

bool isReservedByWindows(std::string_view name)
{
    std::string stem(name.substr(0, name.find('.')));
    std::ranges::transform(stem, stem.begin(), [](unsigned char each) { return std::tolower(each); });
    const bool isPort = stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt"))
        && std::isdigit(static_cast<unsigned char>(stem.back())) != 0;
    return isPort || stem == "con" || stem == "prn" || stem == "aux" || stem == "nul";
}

/// FNV-1a, 32 bits, as eight hexadecimal digits.
std::string shortHash(std::string_view text)
{
    std::uint32_t hash = 0x811C9DC5U;
    for (const char each : text) {
        hash = (hash ^ static_cast<std::uint8_t>(each)) * 0x01000193U;
    }
    return fmt::format("{:08x}", hash);
}

/// Bytes of the longest beginning of `text` that has at most `mostBytes` and cuts nothing in two.
std::size_t wholeBytes(std::string_view text, std::size_t mostBytes)
{
    std::size_t end = 0; // before a character that joins no other
    std::size_t at = 0;
    bool isAfterJoiner = false;
    while (at < text.size() && at <= mostBytes) {
        const Character each = firstOf(text.substr(at));
        end = isJoined(each.code) || isAfterJoiner ? end : at;
        isAfterJoiner = each.code == 0x200D;
        at += std::max<std::size_t>(1, each.length);
    }
    return at >= text.size() && at <= mostBytes ? text.size() : end;
}

/// Calls `valid(character, bytes)` for each character, and `broken()` for each byte that is none's.
template <typename Valid, typename Broken>
void eachCharacter(std::string_view text, Valid valid, Broken broken)
{
    while (!text.empty()) {
        const Character character = firstOf(text);
        if (character.length == 0) {
            broken();
        } else {
            valid(character.code, text.substr(0, character.length));
        }
        text.remove_prefix(std::max<std::size_t>(1, character.length));
    }
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
    Sign{"↵", "\\ensuremath{\\hookleftarrow}"}, Sign{"–", "\\textendash{}"}, Sign{"−", "\\ensuremath{-}"},
    Sign{"×", "\\ensuremath{\\times}"}, Sign{"·", "\\ensuremath{\\cdot}"}, Sign{"±", "\\ensuremath{\\pm}"},
    Sign{"µ", "\\ensuremath{\\mu}"}, Sign{"μ", "\\ensuremath{\\mu}"}, Sign{"α", "\\ensuremath{\\alpha}"},
    Sign{"β", "\\ensuremath{\\beta}"}, Sign{"Δ", "\\ensuremath{\\Delta}"}, Sign{"∞", "\\ensuremath{\\infty}"},
    Sign{"≤", "\\ensuremath{\\leq}"}, Sign{"≥", "\\ensuremath{\\geq}"}, Sign{"≈", "\\ensuremath{\\approx}"},
    Sign{"→", "\\ensuremath{\\rightarrow}"}, Sign{"⁻", "\\ensuremath{^{-}}"}, Sign{"⁰", "\\ensuremath{^{0}}"},
    Sign{"¹", "\\ensuremath{^{1}}"}, Sign{"²", "\\ensuremath{^{2}}"}, Sign{"³", "\\ensuremath{^{3}}"},
    Sign{"⁴", "\\ensuremath{^{4}}"}, Sign{"⁵", "\\ensuremath{^{5}}"}, Sign{"⁶", "\\ensuremath{^{6}}"},
    Sign{"⁷", "\\ensuremath{^{7}}"}, Sign{"⁸", "\\ensuremath{^{8}}"}, Sign{"⁹", "\\ensuremath{^{9}}"},
    Sign{"\uFFFD", "?"}};

/// readableName() of at most `mostBytes`.
std::string readable(std::string_view text, std::size_t mostBytes)
{
    std::string name;
    const auto replace = [&name] { name += name.ends_with('-') ? "" : "-"; };
    eachCharacter(
        text,
        [&](char32_t code, std::string_view bytes) {
            if (isNamePart(code)) {
                name += bytes;
            } else {
                replace();
            }
        },
        replace);
    const auto trim = [&name] {
        name.erase(name.find_last_not_of("-.") + 1);
        name.erase(0, name.find_first_not_of("-."));
    };
    trim();
    name.resize(wholeBytes(name, mostBytes));
    trim();
    return isReservedByWindows(name) ? '_' + name : name;
}

} // namespace

std::string cleanText(std::string_view text)
{
    if (isPlain(text)) {
        return std::string(text);
    }
    std::string result;
    result.reserve(text.size());
    const auto mark = [&result] { result += Replacement; };
    eachCharacter(
        text,
        [&](char32_t code, std::string_view bytes) {
            if (isHarmful(code)) {
                mark();
            } else if (code != '\r') {
                result += bytes;
            }
        },
        mark);
    return result;
}

std::string cleanLine(std::string_view text)
{
    if (isPlain(text)) {
        return std::string(text);
    }
    const std::string clean = cleanText(text);
    std::string line;
    eachCharacter(
        clean,
        [&line](char32_t code, std::string_view bytes) {
            const bool isEnd = code == '\n' || code == 0x2028 || code == 0x2029;
            line += isEnd ? EndOfLine : code == '\t' ? std::string_view(" ") : bytes;
        },
        [] {});
    return line;
}

std::string cleanJson(std::string_view document)
{
    std::string json;
    json.reserve(document.size());
    eachCharacter(
        document,
        [&json](char32_t code, std::string_view bytes) {
            if (!isHarmful(code) || code > 0xFFFF) {
                json += bytes;
            } else {
                json += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
            }
        },
        [&json] { json += Replacement; });
    return json;
}

std::string shortened(std::string_view text, std::size_t mostBytes)
{
    if (text.size() <= mostBytes) {
        return std::string(text);
    }
    const std::size_t room = mostBytes - std::min(mostBytes, Ellipsis.size());
    return std::string(text.substr(0, wholeBytes(text, room))).append(Ellipsis);
}

std::string readableName(std::string_view text)
{
    return readable(text, MostFileNameBytes);
}

std::string fileNameOf(std::string_view text)
{
    std::string name = readable(text, MostFileNameBytes);
    if (name == text && !name.empty()) {
        return name;
    }
    const std::string hash = shortHash(text);
    name = readable(text, MostFileNameBytes - hash.size() - 1);
    return name.empty() ? hash : name + '-' + hash;
}

std::string latexEscaped(std::string_view text)
{
    const std::string clean = cleanLine(text);
    std::string escaped;
    for (std::string_view rest = clean; !rest.empty();) {
        const auto known
            = std::ranges::find_if(LatexSigns, [rest](const Sign& each) { return rest.starts_with(each.sign); });
        const std::size_t length = known != LatexSigns.end() ? known->sign.size() : firstOf(rest).length;
        const bool isBeyondFonts = known == LatexSigns.end() && length == 4; // text fonts of TeX have none of these
        escaped += known != LatexSigns.end() ? known->latex : isBeyondFonts ? "?" : rest.substr(0, length);
        rest.remove_prefix(length);
    }
    return escaped;
}

} // namespace lockstep::analysis
