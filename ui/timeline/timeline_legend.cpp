#include "ui/timeline/timeline_legend.h"

#include "ui/timeline/timeline_ink.h"
#include "ui/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace lockstep::ui {

namespace {

using Kind = LegendEntry::Kind;

constexpr double LegendMargin = 8.0;
constexpr double BoxGap = 6.0;
constexpr int MostNumbered = 16; ///< micro-batches with an entry each

class LegendTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelineView)
};

bool isPass(Phase phase)
{
    return phase == Phase::Forward || phase == Phase::Backward;
}

std::vector<LegendEntry> phases(const TimelineModel& model, Kind kind)
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < PhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        if (model.hasPhase(phase) && (kind == Kind::Phase || !isPass(phase))) {
            entries.push_back({kind, phase, 0, phaseText(phase), 0.0, 0});
        }
    }
    return entries;
}

std::vector<LegendEntry> microBatches(const TimelineModel& model)
{
    std::vector<LegendEntry> entries{{Kind::Passes, Phase::Forward, 0, LegendTexts::tr("forward, light"), 0.0, 0},
        {Kind::Passes, Phase::Backward, 0, LegendTexts::tr("backward, dark"), 0.0, 0}};
    const int count = model.microBatches();
    const int shown = std::min(count, MostNumbered);
    for (int i = 0; i < shown; ++i) {
        QString text = i == 0 ? LegendTexts::tr("micro-batch 1") : QString::number(i + 1);
        if (i + 1 == shown && count > shown) {
            text = LegendTexts::tr("%1 … %2, colours repeat").arg(shown).arg(count);
        }
        entries.push_back({Kind::MicroBatch, Phase::Forward, i, text, 0.0, 0});
    }
    entries.push_back({Kind::Bubble, Phase::Wait, 0, LegendTexts::tr("bubble"), 0.0, 0});
    const std::vector<LegendEntry> others = phases(model, Kind::OtherPhase);
    entries.insert(entries.end(), others.begin(), others.end());
    return entries;
}

void paintSquare(QPainter& painter, const QRectF& square, const LegendEntry& entry, const TimelineStyle& style)
{
    switch (entry.kind) {
    case Kind::Phase: {
        const bool isWait = entry.phase == Phase::Wait;
        painter.fillRect(square, withAlpha(inkOf(entry.phase, style), isWait ? WaitAlpha : 255));
        if (isWait) {
            paintHatch(painter, {square}, inkOf(Phase::Wait, style).darker(115), style);
        }
        return;
    }
    case Kind::OtherPhase:
        painter.fillRect(square, mutedInkOf(entry.phase, style));
        return;
    case Kind::Passes:
        painter.fillRect(square, passInk(-1, entry.phase, style));
        return;
    case Kind::MicroBatch: {
        QRectF half = square;
        half.setWidth(square.width() / 2.0);
        const auto number = static_cast<std::int16_t>(entry.microBatch);
        painter.fillRect(square, passInk(number, Phase::Backward, style));
        painter.fillRect(half, passInk(number, Phase::Forward, style));
        return;
    }
    case Kind::Bubble:
        paintBubble(painter, {square}, style);
        return;
    case Kind::Slow:
        painter.fillRect(square, slowInk(style));
        return;
    }
}

} // namespace

std::vector<LegendEntry> legendEntries(
    const TimelineModel& model, const TimelineScene& scene, const TimelineStyle& style, double width)
{
    std::vector<LegendEntry> entries
        = scene.colours == TimelineColours::MicroBatch ? microBatches(model) : phases(model, Kind::Phase);
    if (!scene.slow.empty()) {
        entries.push_back({Kind::Slow, Phase::Backward, 0, LegendTexts::tr("delay of the slow rank"), 0.0, 0});
    }
    const QFontMetricsF metrics(style.font);
    const double px = style.scale;
    double x = LegendMargin * px;
    int row = 0;
    for (LegendEntry& entry : entries) {
        const double wide = metrics.capHeight() + BoxGap * px + metrics.horizontalAdvance(entry.text);
        if (x > LegendMargin * px && x + wide > width - LegendMargin * px) {
            x = LegendMargin * px;
            ++row;
        }
        entry.x = x;
        entry.row = row;
        x += wide + 2.0 * BoxGap * px;
    }
    return entries;
}

void paintLegend(QPainter& painter, const std::vector<LegendEntry>& entries, const QRectF& area, double rowHeight,
    const TimelineStyle& style)
{
    const double box = QFontMetricsF(style.font).capHeight();
    for (const LegendEntry& entry : entries) {
        const double top = area.top() + entry.row * rowHeight;
        const QRectF square(area.left() + entry.x, top + (rowHeight - box) / 2.0, box, box);
        paintSquare(painter, square, entry, style);
        const double left = square.right() + BoxGap * style.scale;
        painter.setPen(style.theme.text);
        painter.drawText(QRectF(left, top, area.right() - left, rowHeight),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, entry.text);
    }
}

} // namespace lockstep::ui
