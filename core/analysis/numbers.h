// How numbers are written in sentences and tables: three significant digits, never "0.000" for a value other than 0.
#pragma once

#include <string>

namespace lockstep::analysis {

/// `0.0921`, `95.1`, `1,230`, `4.51e-06`; "–" for what was not measured.
[[nodiscard]] std::string threeDigits(double number);

/// No value has more significant digits than these, however narrow its interval.
inline constexpr int MostDigits = 4;

/// How many decimals a number has whose interval has this half-width above 0: up to the half-width's second significant
/// digit. Negative: tens, hundreds.
[[nodiscard]] int decimalsFor(double halfWidth);
/// The same of this number, which has at most MostDigits significant digits.
[[nodiscard]] int decimalsFor(double halfWidth, double number);
/// `0.120`, `1,230`, `1,234.5`; never "-0.0".
[[nodiscard]] std::string withDecimals(double number, int decimals);
/// One of a mean and the ends of its interval: in the digits of that interval, at most MostDigits, but never "0.000"
/// for a value other than 0. Without an interval (a half-width that is not above 0) threeDigits(), from 10,000 on
/// rounded to MostDigits.
[[nodiscard]] std::string inDigitsOf(double halfWidth, double number);

/// Whole numbers with thousands separators: `60,000`.
[[nodiscard]] std::string grouped(long long number);

/// `12.0`, `-0.3`; never "-0.0".
[[nodiscard]] std::string onePlace(double number);

/// `4.80 MB`, `12.0 kB`, `4 B`: powers of 1000.
[[nodiscard]] std::string bytesText(double bytes);

/// How many times as much: `1.34`, `5.75 [5.30, 6.25]`, below a half as a fraction: `1/70 [1/75, 1/66]`. `low` and
/// `high`: of its interval; NaN without one.
[[nodiscard]] std::string timesText(double ratio, double low, double high);

/// 0.951 -> `95.1 %`.
[[nodiscard]] std::string percent(double fraction);

} // namespace lockstep::analysis
