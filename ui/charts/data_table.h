// The numbers behind a chart as a table: for the eye, for screen readers, and to copy from. Private to ui/charts.
#pragma once

#include "ui/models/chart_spec.h"

class QWidget;

namespace lockstep::ui {

/// A window of its own over `parent`, with every point of the chart; deletes itself when closed.
void showDataTable(const ChartSpec& chart, QWidget* parent);

} // namespace lockstep::ui
