// The charts of how training scales with the number of ranks. Parts of ChartModel.
//
// What is measured is drawn with lines and markers, upright lines are 95 % intervals over repeats. Dashed is what
// analysis::ScalingModel predicts for the cores at hand, dotted what it predicts if every rank had a core of its own.
#pragma once

#include "ui/models/run_groups.h"

namespace lockstep::ui {

/// Speed-up over ranks, both axes logarithmic to the base of 2, with the prediction up to 1,024 ranks.
void addSpeedUp(ChartSpec& chart, const Feeds& feeds);
/// Efficiency in percent over ranks, likewise.
void addEfficiency(ChartSpec& chart, const Feeds& feeds);
/// Samples a second over ranks, with the prediction for the cores at hand.
void addThroughput(ChartSpec& chart, const Feeds& feeds);
/// One bar a number of ranks: computing, communicating, waiting.
void addSplit(ChartSpec& chart, const Feeds& feeds);
/// Seconds of training until the target accuracy over ranks.
void addTimeToTarget(ChartSpec& chart, const Feeds& feeds);

} // namespace lockstep::ui
