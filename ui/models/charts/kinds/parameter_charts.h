// Charts of a figure of each run's summary against the parameters in which the runs differ: the mean over seeds with
// its 95 % interval. A part of ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <vector>

namespace lockstep::ui {

/// The figures that these runs have, as places in analysis::studyFigures().
[[nodiscard]] std::vector<ChartChoice> figureChoices(const Feeds& feeds);
/// The parameters in which these runs differ, and the two that the options name or that are chosen.
[[nodiscard]] ParameterChoices parameterChoices(const Feeds& feeds, const ChartOptions& options);

/// A line for each value of the second parameter and of all others in which the runs differ: settings are not pooled.
/// Against numbers on an axis, logarithmic where they span it; against choices as points by category.
void addParameterLines(ChartSpec& chart, const ChartInput& input);
/// A cell for each pair of values, with the mean and its interval; settings that did not run say so. Further
/// parameters in which the runs differ make further rows.
void addParameterMap(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
