#include "base/ids.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace lockstep {

RunId makeRunId(std::int64_t wallSeconds, std::uint32_t randomBits)
{
    static constexpr char Digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const auto seconds = static_cast<std::time_t>(wallSeconds);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    std::array<char, 24> text{};
    std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S-", &utc);
    for (int i = 0; i < 4; ++i) {
        text[length++] = Digits[randomBits % 36];
        randomBits /= 36;
    }
    return RunId{std::string(text.data(), length)};
}

bool isRunId(const std::string& text)
{
    static constexpr char Form[] = "dddddddd-dddddd-aaaa";
    if (text.size() != sizeof Form - 1) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        const bool letter = text[i] >= 'a' && text[i] <= 'z';
        const bool fits = Form[i] == 'd' ? digit : Form[i] == 'a' ? (digit || letter) : text[i] == '-';
        if (!fits) {
            return false;
        }
    }
    return true;
}

} // namespace lockstep
