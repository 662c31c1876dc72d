// How many samples a second runs train on: by ranks where they differ in nothing else, else by variant.
#pragma once

#include "ui/models/charts/chart_kind.h"

namespace lockstep::ui {

void addThroughput(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
