// The colours and hatches of a timeline, on screen and on paper. Private to ui/timeline.
#pragma once

#include "base/phase.h"

#include <QColor>
#include <QList>
#include <QRectF>

#include <cstdint>

class QPainter;

namespace lockstep::ui {

struct TimelineStyle;

inline constexpr int SparseAlpha = 110; ///< of columns that are less than half full
inline constexpr int WaitAlpha = 70;

[[nodiscard]] QColor withAlpha(QColor color, int alpha);
/// A phase's colour, or its grey for grey prints.
[[nodiscard]] QColor inkOf(Phase phase, const TimelineStyle& style);
[[nodiscard]] QColor slowInk(const TimelineStyle& style);
/// The same as inkOf() beside passes, which matter more: near the background.
[[nodiscard]] QColor mutedInkOf(Phase phase, const TimelineStyle& style);
/// Of one pass; of several micro-batches in one column for -1: a light or dark grey. A sum within a pass is muted.
[[nodiscard]] QColor passInk(std::int16_t microBatch, Phase pass, const TimelineStyle& style);
/// For text on it.
[[nodiscard]] QColor textOn(Phase pass, const TimelineStyle& style);

/// Diagonal lines through rectangles; those too narrow to show a hatch stay without.
void paintHatch(QPainter& painter, const QList<QRectF>& rects, const QColor& color, const TimelineStyle& style);
/// Ground and hatch of idle time.
void paintBubble(QPainter& painter, const QList<QRectF>& rects, const TimelineStyle& style);

} // namespace lockstep::ui
