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

} // namespace lockstep
