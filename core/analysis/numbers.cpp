#include "analysis/numbers.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace lockstep::analysis {

namespace {

/// Of the first significant digit: 2 for 123, -2 for 0.0123.
int exponentOf(double number)
{
    return static_cast<int>(std::floor(std::log10(std::fabs(number))));
}

/// Of a number with MostDigits significant digits, also where rounding carries (0.99996 -> 1.000).
int mostDecimals(double number)
{
    const int decimals = MostDigits - 1 - exponentOf(number);
    const bool carries = std::round(std::fabs(number) * std::pow(10.0, decimals)) >= std::pow(10.0, MostDigits);
    return carries ? decimals - 1 : decimals;
}

} // namespace

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

int decimalsFor(double halfWidth)
{
    const int decimals = 1 - exponentOf(halfWidth);
    // 0.0996 is 0.10: its second digit is one place further left.
    return std::round(halfWidth * std::pow(10.0, decimals)) >= 100.0 ? decimals - 1 : decimals;
}

int decimalsFor(double halfWidth, double number)
{
    const int decimals = decimalsFor(halfWidth);
    return number == 0.0 ? decimals : std::min(decimals, mostDecimals(number));
}

std::string withDecimals(double number, int decimals)
{
    if (decimals <= 0) {
        const double unit = std::pow(10.0, -decimals);
        return grouped(std::llround(std::round(number / unit) * unit));
    }
    std::string text = fmt::format("{:.{}f}", number, decimals);
    if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) {
        text.erase(0, 1);
    }
    const std::size_t point = text.find('.');
    return std::fabs(number) < 999.5 ? text : grouped(std::stoll(text.substr(0, point))) + text.substr(point);
}

std::string inDigitsOf(double halfWidth, double number)
{
    const bool hasInterval = halfWidth > 0.0 && std::isfinite(halfWidth);
    if (!std::isfinite(number) || (!hasInterval && std::fabs(number) < 1e4)) {
        return threeDigits(number);
    }
    if (number == 0.0) {
        return "0";
    }
    const int exponent = exponentOf(number);
    const int decimals = hasInterval ? std::max(decimalsFor(halfWidth, number), -exponent) : mostDecimals(number);
    const bool isScientific = std::fabs(number) >= 1e15 || std::fabs(number) < 1e-4;
    return isScientific ? fmt::format("{:.{}e}", number, decimals + exponent) : withDecimals(number, decimals);
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

std::string timesText(double ratio, double low, double high)
{
    constexpr double Half = 0.5;
    const bool isFraction = ratio < Half;
    const bool hasInterval = high - low > 1e-9; // not of equal ratios
    const double halfWidth = hasInterval && !isFraction ? (high - low) / 2.0 : 0.0;
    const auto text = [&](double value) {
        const bool isShownSo = isFraction && value > 1e-9 && value < 1.0; // an end may be above 1
        return isShownSo ? "1/" + withDecimals(1.0 / value, 1.0 / value < 10.0 ? 1 : 0) : inDigitsOf(halfWidth, value);
    };
    const std::string ends = hasInterval && text(low) != text(high) ? " [" + text(low) + ", " + text(high) + "]" : "";
    return text(ratio) + ends;
}

std::string bytesText(double bytes)
{
    return bytes >= 1e6 ? threeDigits(bytes / 1e6) + " MB"
        : bytes >= 1e3  ? threeDigits(bytes / 1e3) + " kB"
                        : grouped(std::llround(bytes)) + " B";
}

} // namespace lockstep::analysis
