#include "base/text.h"

namespace lockstep {

namespace {

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
        } else if (!rest.starts_with(' ') || !endsChinese(text.substr(0, i)) || !beginsChinese(rest.substr(1))) {
            tidied += rest.front();
        }
    }
    return tidied;
}

} // namespace lockstep
