// A run's timeline as a drawing for paper, and its spans as CSV.
#pragma once

#include "ui/export/render.h"
#include "ui/timeline/timeline_painter.h"

namespace lockstep::ui {

class RunFeed;

/// `scene` of the run's timeline as it is now; the drawing copies what is in the window.
[[nodiscard]] Drawing timelineDrawing(const RunFeed& feed, TimelineScene scene);

/// run,name,rank,step,phase,micro-batch,start (ns),duration (ns), one row a span in the model, starts counted from the
/// run's first, micro-batches from 1, empty for spans that are no pass.
[[nodiscard]] QByteArray timelineCsv(const QString& run, const QString& name, const TimelineModel& model);

} // namespace lockstep::ui
