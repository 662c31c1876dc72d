// What a rank sends in a step, by purpose: a stacked bar a variant. Private to the models.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

/// Bytes a step of one rank, means over ranks and repeats, in kB.
void addTraffic(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
