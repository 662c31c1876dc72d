// Draws the critical paths over the lanes of a timeline. Private to ui/timeline.
#pragma once

#include "ui/timeline/timeline_painter.h"

class QPainter;

namespace lockstep::ui {

/// A line along the lanes of the ranks, one for each step.
void paintPaths(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout, const TimelineScene& scene,
    const TimelineStyle& style);

} // namespace lockstep::ui
