// What the curves say at one x: the text of the hover read-out. Private to ui/charts.
#pragma once

#include "ui/models/chart_spec.h"

#include <QString>

namespace lockstep::ui {

/// Rich text with one line a named series: its value at the point nearest to x. Empty where there is nothing.
[[nodiscard]] QString readOut(const ChartSpec& chart, double x);

} // namespace lockstep::ui
