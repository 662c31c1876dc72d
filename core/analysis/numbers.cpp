#include "analysis/numbers.h"

#include "base/text.h"

#include <fmt/format.h>

#include <cmath>

namespace lockstep::analysis {

std::string grouped(long long number)
{
    return groupedDigits(number);
}

std::string threeDigits(double number)
{
    if (!std::isfinite(number)) {
        return "–";
    }
    if (number == 0.0) {
        return "0";
    }
    const double size = std::fabs(number);
    if (size >= 999.5) {
        if (size < 1e15) {
            return grouped(std::llround(number));
        }
        return fmt::format("{:.2e}", number);
    }
    if (size < 1e-4) {
        return fmt::format("{:.2e}", number);
    }
    // Decimals for three significant digits, also where rounding carries (9.996 -> 10.0).
    int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
    const double scale = std::pow(10.0, decimals);
    if (std::floor(std::log10(std::round(size * scale) / scale)) > std::floor(std::log10(size))) {
        --decimals;
    }
    return fmt::format("{:.{}f}", number, decimals < 0 ? 0 : decimals);
}

std::string percent(double fraction)
{
    return std::isfinite(fraction) ? threeDigits(fraction * 100.0) + " %" : "–";
}

std::string onePlace(double value)
{
    const auto tenths = static_cast<long long>(std::llround(std::abs(value) * 10.0));
    return fmt::format("{}{}.{}", value < 0.0 && tenths > 0 ? "-" : "", tenths / 10, tenths % 10);
}

std::string signedOnePlace(double value)
{
    const std::string text = onePlace(value);
    return value > 0.0 && text != onePlace(0.0) ? "+" + text : text;
}

std::string bytesText(double bytes)
{
    return bytes >= 1e6 ? threeDigits(bytes / 1e6) + " MB"
        : bytes >= 1e3  ? threeDigits(bytes / 1e3) + " kB"
                        : grouped(std::llround(bytes)) + " B";
}

} // namespace lockstep::analysis
