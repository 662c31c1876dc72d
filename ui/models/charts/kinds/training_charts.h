// The charts of training: loss, accuracy, and where a step's time goes by phase.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// Raw traces thin and faint under smoothed ones; at most a few points a pixel (min and max kept), and then a note.
void addLoss(ChartSpec& chart, const ChartInput& input);
void addAccuracy(ChartSpec& chart, const ChartInput& input);
/// On the first samples of the training set, at each evaluation: what the losses of batches scatter about.
void addTrainLoss(ChartSpec& chart, const ChartInput& input);
/// Per step, per sample, or as shares of a step: so can bars be compared that differ by orders of magnitude.
[[nodiscard]] std::vector<ChartChoice> timeChoices(const Feeds& feeds);
/// One stacked bar a variant: the mean over its repeats.
void addTime(ChartSpec& chart, const ChartInput& input);

/// Marks interventions in visible runs, on any chart over time.
void addMarks(ChartSpec& chart, const ChartInput& input, XAxis axis);

} // namespace lockstep::ui
