// The chart of memory by rank: measured, and beside it what the formula said before the run began. A part of
// ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// A bar a rank: parameters, gradients and optimizer state after a step, activations at their most within one. Of
/// repeats the first is drawn: memory does not depend on the seed.
void addMemory(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
