#include "base/typed.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {

namespace {

/// Beyond the full-width forms.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> Signs{
    {{"\u3001", ","}, {"\u3000", " "}, {"\u201C", "\""}, {"\u201D", "\""}, {"\u2018", "'"}, {"\u2019", "'"},
        {"\u2212", "-"}, {"\u2260", "!="}, {"\u2264", "<="}, {"\u2265", ">="}}};

/// The printable ASCII characters that have full-width forms, from `!` to `~`.
constexpr std::string_view Printable = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                                       "abcdefghijklmnopqrstuvwxyz{|}~";

std::size_t sizeOfCharacter(std::string_view text)
{
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
        ++size;
    }
    return size;
}

/// U+FF01 to U+FF5E as UTF-8: EF BC 81 to EF BD 9E.
std::size_t placeInPrintable(std::string_view character)
{
    if (character.size() != 3 || character[0] != '\xEF' || (character[1] != '\xBC' && character[1] != '\xBD')) {
        return std::string_view::npos;
    }
    const std::size_t block = character[1] == '\xBC' ? 0 : 0x40;
    const std::size_t code = block + (static_cast<unsigned char>(character[2]) & 0x3FU);
    return code >= 1 && code <= Printable.size() ? code - 1 : std::string_view::npos;
}

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && asciiTwin(text).ascii == " ") {
        text.remove_prefix(asciiTwin(text).size);
    }
    while (text.ends_with(' ') || text.ends_with("\u3000")) {
        text.remove_suffix(text.ends_with(' ') ? 1 : std::string_view("\u3000").size());
    }
    return text;
}

} // namespace

AsciiTwin asciiTwin(std::string_view text)
{
    const std::string_view character = text.substr(0, sizeOfCharacter(text));
    if (const std::size_t place = placeInPrintable(character); place != std::string_view::npos) {
        return {Printable.substr(place, 1), character.size()};
    }
    const auto* const sign = std::ranges::find(Signs, character, &std::pair<std::string_view, std::string_view>::first);
    return {sign == Signs.end() ? character : sign->second, character.size()};
}

std::string withAsciiTwins(std::string_view text)
{
    std::string ascii;
    while (!text.empty()) {
        const AsciiTwin twin = asciiTwin(text);
        ascii += twin.ascii;
        text.remove_prefix(twin.size);
    }
    return ascii;
}

std::size_t findTyped(std::string_view text, char wanted)
{
    for (std::size_t place = 0; place < text.size();) {
        const AsciiTwin twin = asciiTwin(text.substr(place));
        if (twin.ascii == std::string_view(&wanted, 1)) {
            return place;
        }
        place += twin.size;
    }
    return std::string_view::npos;
}

std::vector<std::string_view> splitTyped(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t end = findTyped(text, separator); end != std::string_view::npos;
         end = findTyped(text, separator)) {
        parts.push_back(withoutBlanks(text.substr(0, end)));
        text.remove_prefix(end + asciiTwin(text.substr(end)).size);
    }
    parts.push_back(withoutBlanks(text));
    return parts;
}

} // namespace lockstep
