// What the numbers at an axis leave to its title, so that they stay short and distinct. Private to ui/charts and
// ui/export.
#pragma once

#include "ui/models/chart_axes.h"

#include <QString>

namespace lockstep::ui {

/// A label's value is offset + label * 10^exponent.
struct AxisNumbers {
    double offset = 0.0; ///< 0 where the axis begins far from it only by less than five digits
    int exponent = 0; ///< 0 from 0.001 to below ten millions, in little room ten thousands

    [[nodiscard]] bool isPlain() const { return offset == 0.0 && exponent == 0; }
    /// The label of a tick, with as many decimals as `step` needs.
    [[nodiscard]] QString label(double tick, double step) const;
    /// The title of an axis with such numbers: `Loss − 2.3 (10⁻⁶)`, `Step (10⁶)`, `Time (10⁶ s)`.
    [[nodiscard]] QString title(const AxisSpec& axis) const;
};

enum class LabelRoom { Enough, Little };

/// Of ticks at equal distances between the ends of an axis.
[[nodiscard]] AxisNumbers axisNumbers(double low, double high, LabelRoom room);
/// Of this axis: a logarithmic one has such ticks where it spans less than a decade.
[[nodiscard]] AxisNumbers axisNumbers(const AxisSpec& axis, double low, double high, LabelRoom room);

/// Up to here the ticks of a logarithmic axis are at equal distances.
inline constexpr double LinearDecades = 0.7;

/// With a true minus, as wide as a plus, and grouped thousands; no "-0".
[[nodiscard]] QString decimalText(double value, int decimals);
/// `10⁶`
[[nodiscard]] QString powerText(int exponent);

} // namespace lockstep::ui
