#include "base/text.h"

namespace lockstep {

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

} // namespace lockstep
