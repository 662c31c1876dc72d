#include "ui/timeline/timeline_passes.h"

#include "ui/timeline/timeline_ink.h"
#include "ui/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr double LeastStepWidth = 6.0; ///< narrower steps: their bubbles merge into one
constexpr double LeastBlockWidth = 5.0; ///< wider passes are set apart by a line
constexpr double TextGap = 2.0; ///< to both sides of a number

/// Draws all shapes of one colour at once.
struct Rectangles {
    void add(const TimelineSlice& slice, const QRectF& rect)
    {
        const bool isSumWithinPass
            = (slice.phase == Phase::Communicate || slice.phase == Phase::Wait) && slice.microBatch >= 0;
        if (slice.phase == Phase::Forward || slice.phase == Phase::Backward || isSumWithinPass) {
            (slice.isSparse ? sparsePasses : passes)[{slice.phase, slice.microBatch}].append(rect);
        } else {
            (slice.isSparse ? sparseOthers : others)[slice.phase].append(rect);
        }
    }

    std::map<Phase, QList<QRectF>> others;
    std::map<Phase, QList<QRectF>> sparseOthers;
    std::map<std::pair<Phase, std::int16_t>, QList<QRectF>> passes;
    std::map<std::pair<Phase, std::int16_t>, QList<QRectF>> sparsePasses;
};

Rectangles rectanglesOf(const TimelineModel& model, const TimelineLayout& layout, const TimelineStyle& style)
{
    Rectangles rectangles;
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const QRectF bar = layout.laneRect(lane);
        for (const TimelineLayout::Piece& piece : layout.pieces()) {
            for (const TimelineSlice& slice :
                model.slices(lane, piece.time, layout.columnsOf(piece), TimelineColours::MicroBatch)) {
                rectangles.add(slice,
                    {piece.left + slice.from * style.dot, bar.top(), (slice.to - slice.from) * style.dot,
                        bar.height()});
            }
        }
    }
    return rectangles;
}

/// Of every lane, from the step's first pass to its last: passes are drawn over it.
QList<QRectF> stepRectangles(
    const TimelineModel& model, const TimelineLayout& layout, const TimelineScene& scene, const TimelineStyle& style)
{
    QList<QRectF> rects;
    const QRectF& plot = layout.plot();
    const auto snap
        = [&](double x) { return std::clamp(std::round(x / style.dot) * style.dot, plot.left(), plot.right()); };
    for (const PipelineStep& step : scene.steps) {
        const double left = snap(layout.xOf(step.passes.firstNs));
        const double right = snap(layout.xOf(step.passes.lastNs));
        if (layout.xOf(step.passes.lastNs) - layout.xOf(step.passes.firstNs) < LeastStepWidth * style.scale) {
            continue;
        }
        for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
            const QRectF bar = layout.laneRect(lane);
            rects.append({left, bar.top(), right - left, bar.height()});
        }
    }
    return rects;
}

/// Lines between passes that follow each other, and the numbers of those that are wide enough.
void paintBlocks(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout,
    const TimelineScene& scene, const TimelineStyle& style)
{
    const QFontMetricsF metrics(style.font);
    const double perNs = layout.plot().width() / static_cast<double>(layout.shownNs());
    const auto least = static_cast<std::int64_t>(LeastBlockWidth * style.scale / perNs);
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const QRectF bar = layout.laneRect(lane);
        for (const TimelineSpan& span : model.passesIn(lane, scene.window, least)) {
            const double start = std::round(layout.xOf(span.startNs) / style.dot) * style.dot;
            const double left = std::max(layout.plot().left(), start);
            const double right = std::min(layout.plot().right(), layout.xOf(span.endNs()));
            if (start >= layout.plot().left()) {
                painter.fillRect(QRectF(left, bar.top(), style.dot, bar.height()), style.theme.background);
            }
            const QString number = QString::number(span.microBatch + 1);
            const bool hasRoom = right - left >= metrics.horizontalAdvance(number) + 2.0 * TextGap * style.scale
                && bar.height() >= metrics.capHeight() + 2.0 * TextGap * style.scale;
            if (hasRoom) {
                painter.setPen(textOn(span.phase, style));
                painter.drawText(
                    QRectF(left, bar.center().y() - layout.rowHeight() / 2.0, right - left, layout.rowHeight()),
                    Qt::AlignCenter | Qt::TextDontClip, number);
            }
        }
    }
}

} // namespace

void paintPasses(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout,
    const TimelineScene& scene, const TimelineStyle& style)
{
    const Rectangles rectangles = rectanglesOf(model, layout, style);
    painter.setPen(Qt::NoPen);
    for (const auto& [phase, rects] : rectangles.others) {
        painter.setBrush(mutedInkOf(phase, style));
        painter.drawRects(rects);
    }
    for (const auto& [phase, rects] : rectangles.sparseOthers) {
        painter.setBrush(withAlpha(mutedInkOf(phase, style), SparseAlpha));
        painter.drawRects(rects);
    }
    paintBubble(painter, stepRectangles(model, layout, scene, style), style);
    painter.setPen(Qt::NoPen);
    for (const auto& [pass, rects] : rectangles.passes) {
        painter.setBrush(passInk(pass.second, pass.first, style));
        painter.drawRects(rects);
    }
    for (const auto& [pass, rects] : rectangles.sparsePasses) {
        painter.setBrush(withAlpha(passInk(pass.second, pass.first, style), SparseAlpha));
        painter.drawRects(rects);
    }
    paintBlocks(painter, model, layout, scene, style);
}

} // namespace lockstep::ui
