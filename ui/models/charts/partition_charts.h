// The charts of how a data set is partitioned: who has how many samples of each label, and what that did to the
// accuracy. Parts of ChartModel. Of repeats the first is drawn, whose shares stand for the others' kind.
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
