// A pipeline's lanes by micro-batch: passes in their hues with their numbers, idle time between a step's first forward
// and its last backward shaded. Private to ui/timeline.
#pragma once

class QPainter;

namespace lockstep::ui {

class TimelineLayout;
class TimelineModel;
struct TimelineScene;
struct TimelineStyle;

void paintPasses(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout,
    const TimelineScene& scene, const TimelineStyle& style);

} // namespace lockstep::ui
