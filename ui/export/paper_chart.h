// A chart with the options of its paper applied. Private to ui/export.
#pragma once

#include "ui/export/render.h"

namespace lockstep::ui {

/// Without hidden series, and without raw traces where the options leave them out.
[[nodiscard]] ChartSpec withShownSeries(ChartSpec chart, const PaperOptions& options);
/// withShownSeries() in the paper's colours; every point.
[[nodiscard]] ChartSpec onPaper(ChartSpec whole, const PaperOptions& options);
/// The indices of a series to draw: what lies within the axis and a point beyond each end, of more than `most` points
/// the lowest and highest of each stretch.
[[nodiscard]] std::vector<std::uint32_t> drawnPoints(const SeriesSpec& series, const AxisSpec& axis, std::size_t most);

} // namespace lockstep::ui
