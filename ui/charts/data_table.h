// The numbers behind a chart as a table: for reading, screen readers and copying. Private to ui/charts.
#pragma once

#include "ui/models/chart_spec.h"

class QWidget;

namespace lockstep::ui {

/// A separate window over `parent`, with every point of the chart; deletes itself when closed.
QWidget* showDataTable(const ChartSpec& chart, QWidget* parent);

} // namespace lockstep::ui
