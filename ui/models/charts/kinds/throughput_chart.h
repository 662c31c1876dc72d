// How many samples a second runs train on: by ranks if these are all that differs, else by variant.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

void addThroughput(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
