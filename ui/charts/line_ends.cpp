#include "ui/charts/line_ends.h"

#include "ui/models/short_names.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr std::size_t MostEnds = 12; ///< more curves than a legend alone can identify
constexpr int WidestEnd = 120;
constexpr int LeastPlotWidth = 480; ///< of the plot
constexpr int EndGap = 6;
constexpr double LongestGap = 40.0; ///< in pixels: beyond it a reader needs a line from the curve to its name

bool hasEnd(const SeriesSpec& series)
{
    const bool isLine = series.style == SeriesStyle::Line || series.style == SeriesStyle::LineAndMarkers
        || series.style == SeriesStyle::DashedLine;
    return series.isVisible && isLine && !series.name.isEmpty() && !series.x.empty();
}

} // namespace

LineEnds::LineEnds(QCustomPlot& plot)
    : QCPAbstractItem(&plot)
{
    setClipToAxisRect(false);
    setSelectable(false);
}

void LineEnds::setChart(const ChartSpec& chart, const ChartStyle& style)
{
    m_style = style;
    m_ends.clear();
    m_room = 0;
    if (!chart.namesLineEnds || style.isPaper || mParentPlot->width() < LeastPlotWidth) {
        return;
    }
    const auto ends = static_cast<std::size_t>(std::ranges::count_if(chart.series, hasEnd));
    if (ends > MostEnds || ends < 2) {
        return;
    }
    const QFontMetrics metrics(style.font);
    QStringList names;
    for (const SeriesSpec& series : chart.series) {
        if (hasEnd(series)) {
            names << series.name;
            m_ends.push_back({{}, style.inkOf(series.color), series.x, series.y});
        }
    }
    names = shortNames(names, [&](const QString& name) { return metrics.horizontalAdvance(name) <= WidestEnd; });
    for (std::size_t i = 0; i < m_ends.size(); ++i) {
        m_ends[i].name = names[static_cast<qsizetype>(i)];
        m_room = std::max(m_room, metrics.horizontalAdvance(m_ends[i].name) + EndGap);
    }
}

/// From the top; those that would overlap are moved apart, and together into the axes' height.
std::vector<LineEnds::Label> LineEnds::placed(double height) const
{
    const QCPAxis& x = *mParentPlot->xAxis;
    const QCPAxis& y = *mParentPlot->yAxis;
    const QRect frame = mParentPlot->axisRect()->rect();
    std::vector<Label> labels;
    for (const End& end : m_ends) {
        for (std::size_t i = end.x.size(); i-- > 0;) {
            const bool isDrawn = std::isfinite(end.y[i]) && (y.scaleType() == QCPAxis::stLinear || end.y[i] > 0.0)
                && end.x[i] <= x.range().upper;
            if (isDrawn) {
                const double place = y.coordToPixel(end.y[i]);
                if (end.x[i] >= x.range().lower && place > frame.top() - 1.0 && place < frame.bottom() + 1.0) {
                    labels.push_back({&end, place, {x.coordToPixel(end.x[i]), place}});
                }
                break;
            }
        }
    }
    std::ranges::stable_sort(labels, {}, &Label::y);
    double free = frame.top();
    for (Label& label : labels) {
        label.y = std::max(label.y, free + height / 2.0);
        free = label.y + height / 2.0;
    }
    free = frame.bottom();
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, free - height / 2.0);
        free = label->y - height / 2.0;
    }
    return labels;
}

void LineEnds::draw(QCPPainter* painter)
{
    painter->setFont(m_style.font);
    const double height = QFontMetricsF(m_style.font).height() * 0.92;
    const double left = mParentPlot->axisRect()->rect().right() + EndGap;
    for (const Label& label : placed(height)) {
        if (left - label.last.x() > LongestGap) {
            QColor faint = label.end->color;
            faint.setAlphaF(0.5F);
            painter->setPen(QPen(faint, 1.0, Qt::DotLine));
            painter->drawLine(label.last, QPointF(left - 2.0, label.y));
        }
        painter->setPen(label.end->color);
        painter->drawText(QRectF(left, label.y - height / 2.0, m_room, height),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label.end->name);
    }
}

} // namespace lockstep::ui
