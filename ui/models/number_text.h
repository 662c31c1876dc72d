// Numbers as text for tables, cards and sentences: three significant digits, never "0.000" for a value that is not 0,
// an en dash for what was not measured. Widgets and tests use only these.
#pragma once

#include <QString>

#include <cstdint>

namespace lockstep::ui {

/// `0.0921`, `12.3`, `1,230`, `4.56e-5`; "–" for NaN.
[[nodiscard]] QString numberText(double value, int significantDigits = 3);

/// A share 0 .. 1 in percent without the sign: `95.1`; "–" for NaN.
[[nodiscard]] QString percentText(double share);

/// With grouping: `1,875`.
[[nodiscard]] QString countText(std::int64_t count);

/// With an SI prefix: `102 k`, `1.2 M`.
[[nodiscard]] QString siText(double value);

/// Binary megabytes or gigabytes: `212 MiB`.
[[nodiscard]] QString bytesText(std::int64_t bytes);

/// `0:14`, `1:02:03`; "–" for NaN.
[[nodiscard]] QString clockText(double seconds);

/// A time to wait: `0.4 s`, `12 s`, `3 min`, `2 h`; "–" for NaN.
[[nodiscard]] QString durationText(double seconds);

} // namespace lockstep::ui
