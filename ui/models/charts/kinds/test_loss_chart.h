// The loss on data that all runs and ranks have in common, beside each rank's on its own share. Part of ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// Solid: the loss on the test set, at each evaluation. Dotted, for runs whose ranks have shares: each rank's training
/// loss on its own share, a mean per epoch; of repeats, the first one's.
void addTestLoss(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
