// Where a vertical axis ends so that most curves can be read. Private to ui/models and ui/export.
#pragma once

#include "ui/models/chart_spec.h"

#include <optional>

namespace lockstep::ui {

/// The highest value of the curves that stay low, where others rise far beyond them, as a loss that diverges does; of a
/// linear axis.
[[nodiscard]] std::optional<double> highestLowValue(const ChartSpec& chart);
/// Of a curve; 0 where it has no finite value above.
[[nodiscard]] double highestOf(const SeriesSpec& series);

} // namespace lockstep::ui
