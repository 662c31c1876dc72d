// The frame and the spans by phase; the axis and the steps above it are in timeline_axis.cpp, the spans by micro-batch
// in timeline_passes.cpp.
#include "ui/timeline/timeline_painter.h"

#include "ui/models/number_text.h"
#include "ui/timeline/path_painter.h"
#include "ui/timeline/timeline_axis.h"
#include "ui/timeline/timeline_ink.h"
#include "ui/timeline/timeline_passes.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double Margin = 8.0;
constexpr double CutWidth = 9.0; ///< of the mark where the axis is cut

// "evaluate" has no bar in the chart of times, so its name is extracted here; the others are the chart's.
[[maybe_unused]] constexpr const char* EvaluateText = QT_TRANSLATE_NOOP("ChartModel", "evaluate");

/// The parts joined, in as few lines as fit.
QStringList wrapped(const QStringList& parts, const QFontMetricsF& metrics, double width)
{
    QStringList lines;
    for (const QString& part : parts) {
        const QString joined = lines.isEmpty() ? part : lines.back() + QStringLiteral(" · ") + part;
        if (!lines.isEmpty() && metrics.horizontalAdvance(joined) <= width) {
            lines.back() = joined;
        } else {
            lines << part;
        }
    }
    return lines;
}

/// All rectangles of one colour at once: a page has a few thousand of them.
void paintSpans(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout, const TimelineStyle& style)
{
    std::array<QList<QRectF>, PhaseCount> full;
    std::array<QList<QRectF>, PhaseCount> sparse;
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const QRectF bar = layout.laneRect(lane);
        for (const TimelineLayout::Piece& piece : layout.pieces()) {
            for (const TimelineSlice& slice : model.slices(lane, piece.time, layout.columnsOf(piece))) {
                auto& rects = slice.isSparse ? sparse : full;
                rects[static_cast<std::size_t>(slice.phase)].append({piece.left + slice.from * style.dot, bar.top(),
                    (slice.to - slice.from) * style.dot, bar.height()});
            }
        }
    }
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < PhaseCount; ++i) {
        const auto phase = static_cast<Phase>(i);
        painter.setBrush(withAlpha(inkOf(phase, style), phase == Phase::Wait ? WaitAlpha : 255));
        painter.drawRects(full[i]);
        painter.setBrush(withAlpha(inkOf(phase, style), phase == Phase::Wait ? WaitAlpha / 2 : SparseAlpha));
        painter.drawRects(sparse[i]);
    }
    paintHatch(painter, full[static_cast<std::size_t>(Phase::Wait)], inkOf(Phase::Wait, style).darker(115), style);
}

void paintSlowParts(
    QPainter& painter, const TimelineLayout& layout, const TimelineScene& scene, const TimelineStyle& style)
{
    for (const SlowPart& part : scene.slow) {
        const double left = std::max(layout.plot().left(), layout.xOf(part.time.fromNs));
        const double right = std::min(layout.plot().right(), layout.xOf(part.time.toNs));
        const QRectF lane = layout.laneRect(part.lane);
        if (right > left) {
            painter.fillRect(QRectF(left, lane.top(), right - left, lane.height()), slowInk(style));
        }
    }
}

void paintBubbleTexts(QPainter& painter, const TimelineLayout& layout, const TimelineStyle& style)
{
    double top = layout.area().top() + layout.legendRows() * layout.rowHeight();
    const double left = layout.area().left() + Margin * style.scale;
    painter.setPen(style.theme.text);
    for (const QString& line : layout.bubble()) {
        painter.drawText(QRectF(left, top, layout.area().right() - left, layout.rowHeight()),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, line);
        top += layout.rowHeight();
    }
}

void paintLanes(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout, const TimelineStyle& style)
{
    const QRectF plot = layout.plot();
    const double high = layout.laneRect(0).height();
    const auto every = static_cast<std::size_t>(
        std::max(1.0, std::ceil((QFontMetricsF(style.font).capHeight() + 4.0 * style.scale) / std::max(1.0, high))));
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const QRectF bar = layout.laneRect(lane);
        painter.fillRect(bar, withAlpha(style.theme.grid, 90));
        if (lane % every != 0) {
            continue;
        }
        painter.setPen(style.theme.text);
        const double middle = bar.center().y();
        painter.drawText(QRectF(layout.area().left(), middle - layout.rowHeight() / 2.0,
                             layout.gutter() - Margin * style.scale, layout.rowHeight()),
            Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
            QCoreApplication::translate("TimelineView", "rank %1").arg(model.ranks()[lane]));
    }
    painter.setPen(QPen(style.theme.axis, style.pen));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

} // namespace

TimelineLayout::TimelineLayout(
    const QRectF& area, const TimelineModel& model, const TimelineScene& scene, const TimelineStyle& style)
    : m_area(area)
    , m_lanes(model.ranks().size())
    , m_dot(style.dot)
{
    const QFontMetricsF metrics(style.font);
    const double px = style.scale;
    m_row = metrics.height() + 4.0 * px;
    const std::int32_t highest = model.ranks().empty() ? 0 : model.ranks().back();
    const QString label = QCoreApplication::translate("TimelineView", "rank %1").arg(std::max(10, highest));
    const double left = metrics.horizontalAdvance(label) + 2.0 * Margin * px;
    m_legend = legendEntries(model, scene, style, area.width());
    m_bubble = wrapped(scene.bubble, metrics, area.width() - 2.0 * Margin * px);
    const double rows = legendRows() + static_cast<double>(m_bubble.size());
    const double top = m_row * (rows + (scene.marks.empty() ? 1.0 : 2.0)) + 2.0 * px;
    const double bottom = 2.0 * m_row + 6.0 * px + (scene.note.isEmpty() ? 0.0 : m_row);
    m_plot = area.adjusted(left, top, -2.0 * Margin * px, -bottom);
    // On whole dots, so that columns are too.
    const auto snap = [this](double value) { return std::round(value / m_dot) * m_dot; };
    m_plot.setLeft(snap(m_plot.left()));
    m_plot.setTop(snap(m_plot.top()));
    m_plot.setRight(std::max(m_plot.left() + m_dot, snap(m_plot.right())));
    m_plot.setBottom(std::max(m_plot.top() + m_dot, snap(m_plot.bottom())));
    divide(scene, CutWidth * px);
}

/// Cuts that would take more than half of the plot, or that the window does not have, are shown as they are.
void TimelineLayout::divide(const TimelineScene& scene, double cutWidth)
{
    const auto snap = [this](double value) { return std::round(value / m_dot) * m_dot; };
    std::vector<TimelineWindow> times{scene.window};
    const double cuts = static_cast<double>(scene.cuts.size()) * cutWidth;
    for (const TimelineWindow& cut : cuts <= m_plot.width() / 2.0 ? scene.cuts : std::vector<TimelineWindow>()) {
        TimelineWindow& last = times.back();
        if (cut.fromNs > last.fromNs && cut.toNs < last.toNs) {
            const TimelineWindow rest{cut.toNs, last.toNs};
            last.toNs = cut.fromNs;
            times.push_back(rest);
        }
    }
    double shown = 0.0;
    for (const TimelineWindow& time : times) {
        shown += static_cast<double>(std::max<std::int64_t>(1, time.length()));
    }
    const double room = m_plot.width() - static_cast<double>(times.size() - 1) * cutWidth;
    double left = m_plot.left();
    for (const TimelineWindow& time : times) {
        const double width = room * static_cast<double>(std::max<std::int64_t>(1, time.length())) / shown;
        m_pieces.push_back({time, snap(left), std::max(snap(left) + m_dot, snap(left + width))});
        left += width + cutWidth;
    }
    m_pieces.back().right = m_plot.right();
}

QRectF TimelineLayout::laneRect(std::size_t lane) const
{
    const double high = m_plot.height() / static_cast<double>(std::max<std::size_t>(1, m_lanes));
    const auto snap = [this](double value) { return std::round(value / m_dot) * m_dot; };
    const double gap = std::min(high * 0.12, 4.0 * m_row / 20.0);
    const double top = snap(m_plot.top() + static_cast<double>(lane) * high + gap);
    const double bottom = snap(m_plot.top() + static_cast<double>(lane + 1) * high - gap);
    return {m_plot.left(), top, m_plot.width(), std::max(m_dot, bottom - top)};
}

int TimelineLayout::laneAt(double y) const
{
    if (y < m_plot.top() || y >= m_plot.bottom() || m_lanes == 0) {
        return -1;
    }
    const double high = m_plot.height() / static_cast<double>(m_lanes);
    return std::min(static_cast<int>((y - m_plot.top()) / high), static_cast<int>(m_lanes) - 1);
}

double TimelineLayout::xOf(std::int64_t ns) const
{
    const auto after = std::ranges::find_if(m_pieces, [ns](const Piece& piece) { return ns <= piece.time.toNs; });
    const Piece& piece = after == m_pieces.end() ? m_pieces.back() : *after;
    if (ns < piece.time.fromNs && after != m_pieces.begin()) {
        return piece.left; // within a cut
    }
    const auto length = static_cast<double>(std::max<std::int64_t>(1, piece.time.length()));
    return piece.left + static_cast<double>(ns - piece.time.fromNs) / length * (piece.right - piece.left);
}

std::int64_t TimelineLayout::nsAt(double x) const
{
    const auto after = std::ranges::find_if(m_pieces, [x](const Piece& piece) { return x <= piece.right; });
    const Piece& piece = after == m_pieces.end() ? m_pieces.back() : *after;
    if (x < piece.left && after != m_pieces.begin()) {
        return piece.time.fromNs;
    }
    const auto length = static_cast<double>(piece.time.length());
    return piece.time.fromNs + std::llround((x - piece.left) / (piece.right - piece.left) * length);
}

std::int64_t TimelineLayout::shownNs() const
{
    std::int64_t shown = 0;
    for (const Piece& piece : m_pieces) {
        shown += piece.time.length();
    }
    return std::max<std::int64_t>(1, shown);
}

std::int64_t TimelineLayout::nsPerDot() const
{
    return std::max<std::int64_t>(1, shownNs() / std::max(1, columns()));
}

int TimelineLayout::columnsOf(const Piece& piece) const
{
    return static_cast<int>(std::lround((piece.right - piece.left) / m_dot));
}

int TimelineLayout::columns() const
{
    return static_cast<int>(std::lround(m_plot.width() / m_dot));
}

void paintTimeline(QPainter& painter, const QRectF& area, const TimelineModel& model, const TimelineScene& scene,
    const TimelineStyle& style)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(style.font);
    painter.fillRect(area, style.theme.background);
    const TimelineLayout layout(area, model, scene, style);
    paintLegend(painter, layout.legend(), area, layout.rowHeight(), style);
    paintBubbleTexts(painter, layout, style);
    paintLanes(painter, model, layout, style);
    paintSteps(painter, model, layout, scene, style);
    if (scene.colours == TimelineColours::MicroBatch) {
        paintPasses(painter, model, layout, scene, style);
    } else {
        paintSpans(painter, model, layout, style);
    }
    paintSlowParts(painter, layout, scene, style);
    paintPaths(painter, model, layout, scene, style);
    paintMarks(painter, layout, scene, style);
    paintTimeAxis(painter, model, layout, scene, style);
    paintCuts(painter, layout, style);
    painter.restore();
}

QString timelineNote(const TimelineModel& model, const std::vector<TimelineWindow>& cuts)
{
    QStringList missing;
    if (const auto count = model.forgotten(); count > 0) {
        missing << QCoreApplication::translate("TimelineView", "The oldest %1 spans are no longer kept.")
                       .arg(countText(count));
    }
    if (const auto count = model.dropped(); count > 0) {
        missing << QCoreApplication::translate("TimelineView", "Spans dropped under load: %1.").arg(countText(count));
    }
    if (!cuts.empty()) {
        std::int64_t cutNs = 0;
        for (const TimelineWindow& cut : cuts) {
            cutNs += cut.length();
        }
        missing << QCoreApplication::translate(
            "TimelineView", "Cut out at the marks: %1 in which other runs had their turn or this one was paused.")
                       .arg(nanosecondsText(cutNs));
    }
    return missing.join(u' ');
}

QString phaseText(Phase phase)
{
    return QCoreApplication::translate("ChartModel", nameOf(phase).data());
}

QString nanosecondsText(std::int64_t ns)
{
    const auto value = static_cast<double>(ns);
    if (ns < 1000) {
        return QStringLiteral("%1 ns").arg(ns);
    }
    if (ns < 1'000'000) {
        return QStringLiteral("%1 µs").arg(numberText(value / 1e3));
    }
    if (ns < 1'000'000'000) {
        return QStringLiteral("%1 ms").arg(numberText(value / 1e6));
    }
    return QStringLiteral("%1 s").arg(numberText(value / 1e9));
}

} // namespace lockstep::ui
