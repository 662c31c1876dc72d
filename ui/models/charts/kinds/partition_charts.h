// The charts of how a data set is partitioned: how many samples of each label a rank has, and the effect on accuracy.
// Parts of ChartModel. Draws the first of repeats, whose shares represent the others.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// A row a rank, a column a label, in each cell how many samples.
void addLabelMap(ChartSpec& chart, const ChartInput& input);
/// One bar a rank, made of its labels.
void addShares(ChartSpec& chart, const ChartInput& input);
/// One point a variant: test accuracy over label skew, with 95 % intervals over repeats.
void addSkew(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
