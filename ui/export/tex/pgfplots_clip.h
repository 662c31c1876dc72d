// Curves cut at the ends of the axes: TeX fails at points far outside ("Dimension too large"). Private to ui/export.
#pragma once

#include "ui/models/chart_axes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::ui {

struct ClippedCurve {
    std::vector<double> x;
    std::vector<double> y; ///< NaN: a gap, also where the curve leaves the axes
};

/// The points of `series` at `indices`, joined by lines that end a little outside the axes.
[[nodiscard]] ClippedCurve clippedCurve(const SeriesSpec& series, std::span<const std::uint32_t> indices,
    const ChartSpec& chart, const ChartRanges& ranges);

/// `value` if it is not far outside the axis, else the nearest end; NaN stays.
[[nodiscard]] double clippedValue(double value, const AxisRange& range, Scale scale);

} // namespace lockstep::ui
