// The dialog in which the user writes, moves and removes annotations of a chart. GUI thread only.
#pragma once

#include <functional>

class QWidget;

namespace lockstep::ui {

class ChartModel;

/// Those of the axis and experiment that are shown; a new one begins at `place`. `changed` is called after each change
/// of the model's options. The model outlives the parent.
void openAnnotations(ChartModel& model, double place, QWidget* parent, const std::function<void()>& changed);

} // namespace lockstep::ui
