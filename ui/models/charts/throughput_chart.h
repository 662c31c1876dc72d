// How many samples a second each variant trains on, where variants differ in more than the number of ranks. Part of
// ChartModel.
#pragma once

#include "ui/models/run_groups.h"

namespace lockstep::ui {

/// One bar a variant in its colour: the mean over repeats, with the 95 % interval where there are several.
void addThroughputOfVariants(ChartSpec& chart, const Feeds& feeds);

} // namespace lockstep::ui
