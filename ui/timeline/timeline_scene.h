// What to draw of a run's timeline: on screen, in an export, by `lockstep export`. For ui/timeline, reports
// and ui/export.
#pragma once

#include "ui/timeline/timeline_painter.h"

namespace lockstep::ui {

class RunFeed;

enum class ShowsPath : bool { No, Yes };

/// Colours of micro-batches fall back to those of phases where the run has none.
[[nodiscard]] TimelineScene timelineScene(
    const RunFeed& feed, const TimelineWindow& window, TimelineColours colours, ShowsPath showsPath = ShowsPath::No);

} // namespace lockstep::ui
