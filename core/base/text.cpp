#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>

namespace lockstep {

namespace {

constexpr int MostDepth = 12; ///< a text in a text in ...
constexpr std::size_t MostArguments = 9;
constexpr std::size_t MostAroundBytes = 16; ///< around the bytes of a verbatim text, and a zero byte
constexpr std::size_t MostPacked = 64u << 10; ///< bytes

// Each text as `KIND LENGTH : BYTES`, a pattern with the number of its arguments behind it: `m10:rank %1: %2` ...
constexpr char PlainKind = 'p';
constexpr char VerbatimKind = 'v';
constexpr char PatternKind = 'm';

void pack(const Text& text, std::string& to)
{
    const bool hasPattern = !text.pattern.empty();
    const std::string& bytes = hasPattern ? text.pattern : text.english;
    to += hasPattern ? PatternKind : text.isVerbatim ? VerbatimKind : PlainKind;
    to += std::to_string(bytes.size()) + ':' + bytes;
    if (hasPattern) {
        to += std::to_string(text.arguments.size()) + ':';
        for (const Text& each : text.arguments) {
            pack(each, to);
        }
    }
}

/// A number and its colon, taken from the front.
std::optional<std::size_t> takeNumber(std::string_view& data)
{
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(data.data(), data.data() + data.size(), number);
    const auto digits = static_cast<std::size_t>(end - data.data());
    if (code != std::errc() || digits >= data.size() || data[digits] != ':') {
        return std::nullopt;
    }
    data.remove_prefix(digits + 1);
    return number;
}

std::optional<Text> unpack(std::string_view& data, int depth)
{
    const char kind = data.empty() ? '\0' : data.front();
    data.remove_prefix(data.empty() ? 0 : 1);
    const auto length = takeNumber(data);
    if (depth > MostDepth || !length || *length > data.size()) {
        return std::nullopt;
    }
    const std::string bytes(data.substr(0, *length));
    data.remove_prefix(*length);
    if (kind != PatternKind) {
        return kind == VerbatimKind ? std::optional(verbatim(bytes))
            : kind == PlainKind     ? std::optional(Text(bytes))
                                    : std::nullopt;
    }
    const auto count = takeNumber(data);
    if (!count || *count > MostArguments) {
        return std::nullopt;
    }
    std::vector<Text> arguments;
    while (arguments.size() < *count) {
        auto each = unpack(data, depth + 1);
        if (!each) {
            return std::nullopt;
        }
        arguments.push_back(std::move(*each));
    }
    return Text(bytes, std::move(arguments));
}

/// Chinese characters and punctuation (U+3000 to U+9FFF, U+FF00 to U+FFEF) are three bytes in UTF-8.
bool isChinese(std::string_view character)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
    return character.size() == 3 && ((at(0) >= 0xE3 && at(0) <= 0xE9) || (at(0) == 0xEF && at(1) >= 0xBC));
}

bool beginsChinese(std::string_view text)
{
    return isChinese(text.substr(0, 3));
}

bool endsChinese(std::string_view text)
{
    return text.size() >= 3 && isChinese(text.substr(text.size() - 3));
}

} // namespace

Text::Text(std::string_view ofPattern, std::vector<Text> with)
    : pattern(ofPattern)
    , arguments(std::move(with))
{
    std::vector<std::string> each;
    std::ranges::transform(arguments, std::back_inserter(each), &Text::english);
    english = filled(pattern, each);
}

Text verbatim(std::string_view text)
{
    Text made(text);
    made.isVerbatim = true;
    return made;
}

Text systemError(int code)
{
    return verbatim(std::strerror(code));
}

Text edited(Text text, const std::function<void(std::string&)>& edit)
{
    if (text.pattern.empty()) {
        edit(text.english);
        return text;
    }
    for (Text& each : text.arguments) {
        each = edited(std::move(each), edit);
    }
    return {text.pattern, std::move(text.arguments)};
}

std::string packed(const Text& text)
{
    std::string data;
    if (!text.pattern.empty() || text.isVerbatim) {
        pack(text, data);
    }
    return data;
}

std::pair<std::string, std::string> asFields(const Text& text)
{
    std::string data = packed(text);
    return {text.english, data.size() > MostPacked ? std::string() : std::move(data)};
}

Text unpacked(std::string english, std::string_view data)
{
    const auto text = data.empty() ? std::nullopt : unpack(data, 0);
    return text && data.empty() && text->english == english ? *text : Text(std::move(english));
}

std::string packedOrEnglish(const Text& text)
{
    auto [english, data] = asFields(text);
    return data.empty() ? english : data;
}

void packInto(std::span<char> memory, const Text& text)
{
    std::string fitting = packedOrEnglish(text);
    if (fitting.size() >= memory.size()) {
        fitting = packed(verbatim(std::string_view(text.english).substr(0, memory.size() - MostAroundBytes)));
    }
    memory[fitting.copy(memory.data(), memory.size() - 1)] = '\0';
}

Text unpackedOrEnglish(std::string_view data)
{
    std::string_view rest = data;
    auto text = unpack(rest, 0);
    return text && rest.empty() ? *std::move(text) : Text(data);
}

Text rankName(std::int64_t rank)
{
    return {LS_TR("Messages", "rank %1"), {rank}};
}

std::string groupedDigits(std::int64_t number)
{
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::size_t left = digits.size() - i;
        if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') {
            text += ',';
        }
        text += digits[i];
    }
    return text;
}

std::string filled(std::string_view pattern, std::span<const std::string> arguments)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isPlace
            = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
        const std::size_t number = isPlace ? static_cast<std::size_t>(pattern[i + 1] - '1') : 0;
        if (isPlace && number < arguments.size()) {
            text += arguments[number];
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

std::string tidiedChinese(std::string_view text)
{
    std::string tidied;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with(", ") && (endsChinese(text.substr(0, i)) || beginsChinese(rest.substr(2)))) {
            tidied += "，";
            ++i;
        } else if (rest.starts_with(": ") && endsChinese(text.substr(0, i))) {
            tidied += "：";
            ++i;
        } else if (rest.starts_with(" (") && rest.find(')') != std::string_view::npos
            && (endsChinese(text.substr(0, i)) || beginsChinese(rest.substr(2)))) {
            const std::size_t close = rest.find(')');
            tidied += "（" + tidiedChinese(rest.substr(2, close - 2)) + "）";
            i += close;
        } else if (!rest.starts_with(' ') || !endsChinese(text.substr(0, i)) || !beginsChinese(rest.substr(1))) {
            tidied += rest.front();
        }
    }
    return tidied;
}

} // namespace lockstep
