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
constexpr double LongestGap = 40.0; ///< in pixels: a curve that ends farther from the margin has its name at its end
constexpr float NameGroundAlpha = 0.8F; ///< under a name that lies on the plot

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
    setLayer(QStringLiteral("axes")); // over the curves
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

void LineEnds::addLabel(const End& end, Labels& labels) const
{
    const QCPAxis& x = *mParentPlot->xAxis;
    const QCPAxis& y = *mParentPlot->yAxis;
    const QRect frame = mParentPlot->axisRect()->rect();
    for (std::size_t i = end.x.size(); i-- > 0;) {
        const bool isDrawn = std::isfinite(end.y[i]) && (y.scaleType() == QCPAxis::stLinear || end.y[i] > 0.0)
            && end.x[i] <= x.range().upper;
        if (isDrawn) {
            const QPointF last(x.coordToPixel(end.x[i]), y.coordToPixel(end.y[i]));
            if (end.x[i] >= x.range().lower && last.y() > frame.top() - 1.0 && last.y() < frame.bottom() + 1.0) {
                const bool isBeside = frame.right() - last.x() > LongestGap;
                (isBeside ? labels.onPlot : labels.inMargin)
                    .push_back({&end, {isBeside ? last.x() + EndGap : frame.right() + EndGap, last.y()}});
            }
            return;
        }
    }
}

/// From the top; those that would overlap are moved apart, and together into the axes' height.
void LineEnds::moveApart(std::vector<Label>& labels, double height) const
{
    const QRect frame = mParentPlot->axisRect()->rect();
    std::ranges::stable_sort(labels, {}, [](const Label& label) { return label.place.y(); });
    double free = frame.top();
    for (Label& label : labels) {
        label.place.setY(std::max(label.place.y(), free + height / 2.0));
        free = label.place.y() + height / 2.0;
    }
    free = frame.bottom();
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->place.setY(std::min(label->place.y(), free - height / 2.0));
        free = label->place.y() - height / 2.0;
    }
}

void LineEnds::draw(QCPPainter* painter)
{
    painter->setFont(m_style.font);
    const QFontMetricsF metrics(m_style.font);
    const double height = metrics.height() * 0.92;
    Labels labels;
    for (const End& end : m_ends) {
        addLabel(end, labels);
    }
    QColor ground = m_style.theme.background;
    ground.setAlphaF(NameGroundAlpha);
    for (std::vector<Label>* group : {&labels.onPlot, &labels.inMargin}) {
        moveApart(*group, height);
        for (const Label& label : *group) {
            const QString& name = label.end->name;
            const QRectF box(label.place - QPointF(0.0, height / 2.0), QSizeF(metrics.horizontalAdvance(name), height));
            if (group == &labels.onPlot) {
                painter->fillRect(box, ground);
            }
            painter->setPen(label.end->color);
            painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
        }
    }
}

} // namespace lockstep::ui
