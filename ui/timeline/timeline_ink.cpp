#include "ui/timeline/timeline_ink.h"

#include "ui/models/palette.h"
#include "ui/timeline/timeline_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double HatchGap = 5.0;
constexpr double LeastHatchedWidth = 3.0; ///< narrower, a hatch is not recognisable
constexpr double MutedShare = 0.38; ///< of a phase's own colour
constexpr double MutedWaitShare = 0.12; ///< the relevant waiting is shaded as bubble
constexpr int BubbleAlpha = 16;
constexpr int BubbleHatchAlpha = 96;
constexpr int MixedForward = 196; ///< greys of columns that several micro-batches share
constexpr int MixedBackward = 104;

/// Lines of x + y = constant inside the rectangle: a hatch that is drawn alike on every device.
void appendHatch(QList<QLineF>& lines, const QRectF& rect, double gap)
{
    const double first = std::ceil((rect.left() + rect.top()) / gap) * gap;
    for (double sum = first; sum < rect.right() + rect.bottom(); sum += gap) {
        const double left = std::max(rect.left(), sum - rect.bottom());
        const double right = std::min(rect.right(), sum - rect.top());
        lines.append({left, sum - left, right, sum - right});
    }
}

QColor mixed(const QColor& one, const QColor& other, double share)
{
    const auto channel = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1.0 - share))); };
    return {channel(one.red(), other.red()), channel(one.green(), other.green()), channel(one.blue(), other.blue())};
}

QColor ink(const QColor& color, const TimelineStyle& style)
{
    const int level = qGray(color.rgb());
    return style.isGrey ? QColor(level, level, level) : color;
}

} // namespace

QColor withAlpha(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

QColor inkOf(Phase phase, const TimelineStyle& style)
{
    return ink(phaseColor(phase), style);
}

QColor slowInk(const TimelineStyle& style)
{
    return ink(slowColor(), style);
}

QColor mutedInkOf(Phase phase, const TimelineStyle& style)
{
    return mixed(inkOf(phase, style), style.theme.background, phase == Phase::Wait ? MutedWaitShare : MutedShare);
}

QColor passInk(std::int16_t microBatch, Phase pass, const TimelineStyle& style)
{
    if (pass == Phase::Communicate) {
        return mutedInkOf(pass, style);
    }
    if (microBatch < 0) {
        const int level = pass == Phase::Backward ? MixedBackward : MixedForward;
        return {level, level, level};
    }
    return ink(microBatchColor(microBatch, pass), style);
}

QColor textOn(Phase pass, const TimelineStyle& style)
{
    return ink(pass == Phase::Backward ? QColor(0xFF, 0xFF, 0xFF) : QColor(0x1F, 0x23, 0x28), style);
}

void paintHatch(QPainter& painter, const QList<QRectF>& rects, const QColor& color, const TimelineStyle& style)
{
    QList<QLineF> lines;
    for (const QRectF& rect : rects) {
        if (rect.width() >= LeastHatchedWidth * style.scale) {
            appendHatch(lines, rect, HatchGap * style.scale);
        }
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color, style.scale));
    painter.drawLines(lines);
    painter.restore();
}

void paintBubble(QPainter& painter, const QList<QRectF>& rects, const TimelineStyle& style)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(style.theme.text, BubbleAlpha));
    painter.drawRects(rects);
    paintHatch(painter, rects, withAlpha(style.theme.text, BubbleHatchAlpha), style);
}

} // namespace lockstep::ui
