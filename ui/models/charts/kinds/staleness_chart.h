// How stale the gradients of an asynchronous parameter server were. Part of ChartModel.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// The share of the gradients, in percent, by their staleness: one curve a run, or one a rank where a single run is
/// shown.
void addStaleness(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
