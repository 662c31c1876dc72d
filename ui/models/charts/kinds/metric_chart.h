// What users' own programs report, over time: one chart, whose choices are the names of the metrics.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <vector>

namespace lockstep::ui {

/// Whether a run has reported a metric.
[[nodiscard]] bool hasMetrics(const RunFeed& feed);

/// The metrics of these runs by name; a choice's value follows from its name alone.
[[nodiscard]] std::vector<ChartChoice> metricChoices(const Feeds& feeds);

/// A curve a run; the first metric if the runs do not have the chosen one.
void addMetric(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
