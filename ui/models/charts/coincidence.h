// Finds the curves of a chart that lie on each other, so that each can be seen and the chart says so. Private to
// ui/models.
#pragma once

#include "ui/models/chart_spec.h"

namespace lockstep::ui {

/// Visible lines coincide where they have nearly all their points in common and no common point differs by more than a
/// thousandth of the chart's height (less than a pixel), without curves far beyond the others: they get stripes, and
/// the chart a remark, "7 runs coincide". `areRuns`: whether a line is a run; otherwise the remark counts curves. Raw
/// traces get stripes too, without a remark.
void markCoincident(ChartSpec& chart, bool areRuns);

} // namespace lockstep::ui
