// The legend above a timeline. Private to ui/timeline.
#pragma once

#include "base/phase.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lockstep::ui {

class TimelineModel;
struct TimelineScene;
struct TimelineStyle;

/// A square and its meaning.
struct LegendEntry {
    enum class Kind { Phase, OtherPhase, MicroBatch, Passes, Bubble, Slow };

    Kind kind = Kind::Phase;
    Phase phase = Phase::Data; ///< of Phase, OtherPhase and Passes
    int microBatch = 0; ///< of MicroBatch
    QString text;
    double x = 0.0; ///< of its square, from the left of the drawing
    int row = 0;
};

/// Entries for what occurs, in as many rows as needed.
[[nodiscard]] std::vector<LegendEntry> legendEntries(
    const TimelineModel& model, const TimelineScene& scene, const TimelineStyle& style, double width);
/// `area`: of the whole drawing; rows begin at its top.
void paintLegend(QPainter& painter, const std::vector<LegendEntry>& entries, const QRectF& area, double rowHeight,
    const TimelineStyle& style);

} // namespace lockstep::ui
