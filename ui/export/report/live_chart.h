// A chart's data for the script of an HTML report (resources/reports/live_charts.js).
#pragma once

#include "ui/models/chart_spec.h"

#include <cstddef>
#include <string>

namespace lockstep::ui {

/// As JSON, with at most about `mostPoints` of all its curves: the lowest and highest of each stretch, and a note that
/// says so. Empty for charts without curves over numbers, such as bars: their picture is shown.
[[nodiscard]] std::string liveChart(const ChartSpec& chart, std::size_t mostPoints);

} // namespace lockstep::ui
