#include "ui/timeline/timeline_axis.h"

#include "ui/models/number_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double TickLength = 4.0;
constexpr double TimeTickGap = 64.0;
constexpr double StepTickGap = 7.0;
constexpr double StepLineGap = 28.0; ///< steps this wide get a line through the lanes

class AxisTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelineView)

public:
    static QString title(const TimeAxis& axis)
    {
        if (axis.baseNs == 0) {
            return tr("Time since the first span (%1)").arg(axis.unit);
        }
        const int decimals = axis.unitNs == 1'000'000 ? 0 : 3;
        return tr("Time since the first span, after %1 s (%2)")
            .arg(QString::number(static_cast<double>(axis.baseNs) / 1e9, 'f', decimals), axis.unit);
    }
    static QString step() { return tr("step"); }
};

/// The least of 1, 2, 5, 10, 20, ... that is not below `least`.
std::int64_t niceStep(double least)
{
    std::int64_t power = 1;
    while (static_cast<double>(power) * 10.0 < least) {
        power *= 10;
    }
    for (const std::int64_t factor : {1, 2, 5}) {
        if (static_cast<double>(factor * power) >= least) {
            return factor * power;
        }
    }
    return 10 * power;
}

} // namespace

TimeAxis timeAxis(std::int64_t fromNs, std::int64_t lengthNs, int ticks)
{
    TimeAxis axis;
    struct Unit {
        std::int64_t ns;
        const char* name;
    };
    static constexpr std::array<Unit, 3> Units{{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}}};
    for (const Unit& unit : Units) {
        axis.unitNs = unit.ns;
        axis.unit = QString::fromUtf8(unit.name);
        if (lengthNs >= 2 * unit.ns) {
            break;
        }
    }
    const std::int64_t thousand = 1000 * axis.unitNs;
    if (axis.unitNs < 1'000'000'000 && fromNs >= thousand) {
        axis.baseNs = fromNs / thousand * thousand;
    }
    axis.stepNs = niceStep(static_cast<double>(lengthNs) / std::max(1, ticks));
    return axis;
}

std::int64_t firstTick(const TimeAxis& axis, std::int64_t fromNs)
{
    return fromNs <= 0 ? 0 : (fromNs + axis.stepNs - 1) / axis.stepNs * axis.stepNs;
}

void paintTimeAxis(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout,
    const TimelineScene& scene, const TimelineStyle& style)
{
    const QRectF& plot = layout.plot();
    const double px = style.scale;
    const std::int64_t from = scene.window.fromNs - model.originNs();
    const TimeAxis axis = timeAxis(from, layout.shownNs(), static_cast<int>(plot.width() / (TimeTickGap * px)));
    const QFontMetricsF metrics(style.font);
    const double labelTop = plot.bottom() + (TickLength + 2.0) * px;
    const int decimals = axis.stepNs >= axis.unitNs
        ? 0
        : static_cast<int>(std::ceil(std::log10(static_cast<double>(axis.unitNs) / static_cast<double>(axis.stepNs))));
    double free = layout.area().left();
    for (const TimelineLayout::Piece& piece : layout.pieces()) {
        const std::int64_t last = piece.time.toNs - model.originNs();
        for (std::int64_t tick = firstTick(axis, piece.time.fromNs - model.originNs()); tick <= last;
             tick += axis.stepNs) {
            const double x = layout.xOf(model.originNs() + tick);
            painter.setPen(QPen(style.theme.axis, style.pen));
            painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + TickLength * px));
            const double value = static_cast<double>(tick - axis.baseNs) / static_cast<double>(axis.unitNs);
            const QString text = QString::number(value, 'f', decimals);
            const double half = metrics.horizontalAdvance(text) / 2.0;
            if (x - half < free) {
                continue; // beside a cut
            }
            free = x + half + 4.0 * px;
            painter.setPen(style.theme.text);
            painter.drawText(QRectF(x - 60.0 * px, labelTop, 120.0 * px, layout.rowHeight()),
                Qt::AlignHCenter | Qt::AlignTop | Qt::TextDontClip, text);
        }
    }
    const QRectF titleRow(plot.left(), labelTop + layout.rowHeight() - 2.0 * px, plot.width(), layout.rowHeight());
    painter.setPen(style.theme.dimText);
    painter.drawText(titleRow, Qt::AlignCenter | Qt::TextDontClip, AxisTexts::title(axis));
    if (!scene.note.isEmpty()) {
        const QRectF row = titleRow.translated(0.0, layout.rowHeight());
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
            metrics.elidedText(scene.note, Qt::ElideRight, row.width()));
    }
}

void paintSteps(QPainter& painter, const TimelineModel& model, const TimelineLayout& layout, const TimelineScene& scene,
    const TimelineStyle& style)
{
    const std::vector<StepStart> starts = model.stepStarts(scene.window);
    const QRectF& plot = layout.plot();
    const double px = style.scale;
    const QFontMetricsF metrics(style.font);
    const QRectF row(
        layout.area().left(), plot.top() - layout.rowHeight(), layout.gutter() - 8.0 * px, layout.rowHeight());
    painter.setPen(style.theme.dimText);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, AxisTexts::step());
    const auto label = [&](double x, std::int32_t step, double width) {
        painter.drawText(QRectF(x + 3.0 * px, row.top(), width, row.height() - TickLength * px),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, countText(step));
    };
    const auto first = model.longestIn(0, {scene.window.fromNs, scene.window.fromNs + 1});
    const double room = first ? metrics.horizontalAdvance(countText(first->step)) + 12.0 * px : 0.0;
    const bool isFirstFree = starts.empty() || layout.xOf(starts.front().startNs) > plot.left() + room;
    if (first && isFirstFree) {
        label(plot.left() - 3.0 * px, first->step, room); // it has begun to the left of the window
    }
    if (starts.empty()) {
        return;
    }
    const double between = starts.size() > 1 ? (layout.xOf(starts.back().startNs) - layout.xOf(starts.front().startNs))
            / static_cast<double>(starts.size() - 1)
                                             : plot.width();
    const double wide = metrics.horizontalAdvance(countText(starts.back().step)) + 12.0 * px;
    const std::int64_t tickEvery = niceStep(StepTickGap * px / std::max(1e-9, between));
    const std::int64_t labelEvery = niceStep(wide / std::max(1e-9, between));
    double free = plot.left() + (first && isFirstFree ? room : 0.0);
    for (const StepStart& start : starts) {
        const double x = std::round(layout.xOf(start.startNs) / style.dot) * style.dot;
        const bool hasLabel = start.step % labelEvery == 0 && x >= free && x + wide < plot.right() + 8.0 * px;
        if (start.step % tickEvery != 0 && !hasLabel) {
            continue;
        }
        const double length = (hasLabel ? layout.rowHeight() : TickLength * px);
        painter.setPen(QPen(style.theme.axis, style.pen));
        painter.drawLine(QPointF(x, plot.top() - length), QPointF(x, plot.top()));
        if (between >= StepLineGap * px) {
            painter.setPen(QPen(style.theme.axis, style.pen, Qt::DotLine));
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
        if (hasLabel) {
            painter.setPen(style.theme.text);
            label(x, start.step, wide);
            free = x + wide;
        }
    }
}

void paintCuts(QPainter& painter, const TimelineLayout& layout, const TimelineStyle& style)
{
    const QRectF& plot = layout.plot();
    const double high = 5.0 * style.scale;
    for (std::size_t i = 1; i < layout.pieces().size(); ++i) {
        const double left = layout.pieces()[i - 1].right;
        const double right = layout.pieces()[i].left;
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height() + 1.0), style.theme.background);
        painter.setPen(QPen(style.theme.text, style.pen));
        for (const double x : {left, right}) {
            painter.drawLine(
                QPointF(x - high / 2.0, plot.bottom() + high), QPointF(x + high / 2.0, plot.bottom() - high));
        }
    }
}

void paintMarks(QPainter& painter, const TimelineLayout& layout, const TimelineScene& scene, const TimelineStyle& style)
{
    const QRectF& plot = layout.plot();
    const double px = style.scale;
    const QFontMetricsF metrics(style.font);
    const double top = plot.top() - 2.0 * layout.rowHeight();
    double free = plot.left();
    for (const TimelineMark& mark : scene.marks) {
        if (mark.timeNs < scene.window.fromNs || mark.timeNs > scene.window.toNs) {
            continue;
        }
        const double x = std::round(layout.xOf(mark.timeNs) / style.dot) * style.dot;
        painter.setPen(QPen(style.theme.text, style.pen, Qt::DashLine));
        painter.drawLine(QPointF(x, top), QPointF(x, plot.bottom()));
        const double wide = metrics.horizontalAdvance(mark.text);
        // To the right of its line, or to the left where the paper ends.
        const double left = x + wide + 4.0 * px <= plot.right() ? x + 4.0 * px : x - wide - 4.0 * px;
        if (left >= free) {
            painter.setPen(style.theme.text);
            painter.drawText(QRectF(left, top, wide + 2.0 * px, layout.rowHeight()),
                Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, mark.text);
            free = left + wide + 8.0 * px;
        }
    }
}

} // namespace lockstep::ui
