// What a chart is before there is anything in it: title, axes, and the sentence that says what would fill it.
// Part of ChartModel.
#pragma once

#include "ui/models/charts/chart_model.h"

namespace lockstep::ui {

/// The x axis of charts over time is ChartModel's own, by the user's options.
[[nodiscard]] ChartSpec frameOf(ChartModel::Kind kind);

} // namespace lockstep::ui
