// What surrounds the lanes of a timeline: time below, steps and interventions above. Private to ui/timeline.
#pragma once

#include "ui/timeline/timeline_painter.h"

namespace lockstep::ui {

/// A unit and an origin that keep numbers short, however far into the run the window is.
struct TimeAxis {
    std::int64_t unitNs = 1'000'000'000;
    QString unit; ///< "s", "ms", "µs"
    std::int64_t baseNs = 0; ///< since the run's first span: 0, or a whole multiple of 1000 units
    std::int64_t stepNs = 1; ///< from tick to tick: 1, 2 or 5 times a power of ten
};
/// `from`: since the run's first span. At most `ticks` ticks fit.
[[nodiscard]] TimeAxis timeAxis(std::int64_t fromNs, std::int64_t lengthNs, int ticks);
/// The first tick of a window that begins there; none is before the run's first span.
[[nodiscard]] std::int64_t firstTick(const TimeAxis& axis, std::int64_t fromNs);

void paintTimeAxis(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout,
    const TimelineScene& scene, const TimelineStyle& style);
void paintSteps(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout, const TimelineScene& scene,
    const TimelineStyle& style);
/// Two slanted lines at each place where the axis is cut.
void paintCuts(QPainter& painter, const TimelineLayout& layout, const TimelineStyle& style);
void paintMarks(
    QPainter& painter, const TimelineLayout& layout, const TimelineScene& scene, const TimelineStyle& style);

} // namespace lockstep::ui
