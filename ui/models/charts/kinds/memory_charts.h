// The chart of memory by rank: measured, beside the formula's prediction before the run. A part of ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// A bar a rank: parameters, gradients and optimizer state after a step, activations at their peak within one. Draws
/// the first of repeats: memory does not depend on the seed.
void addMemory(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
