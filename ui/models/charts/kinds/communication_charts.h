// The charts of runs of several ranks: what communication costs, where each rank's time goes, and sweeps over sizes.
// Parts of ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// One bar a variant: communicating with its 95 % interval over repeats, waiting on top of it.
void addCommunication(ChartSpec& chart, const ChartInput& input);
/// One bar a rank, means over repeats: computing, communicating, waiting, optimizing.
void addRanks(ChartSpec& chart, const ChartInput& input);
/// Time over size on logarithmic axes: the median with a band up to the 99th percentile, and what the alpha-beta model
/// fitted to it gives; marked where the fastest changes.
void addSweep(ChartSpec& chart, const ChartInput& input);
/// Bus bandwidth over size.
void addBandwidth(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
