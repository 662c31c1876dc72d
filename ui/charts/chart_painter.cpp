#include "ui/charts/chart_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {

namespace {

/// Halfway to the background: pale without transparency, which would darken where pieces meet.
QColor pale(const QColor& color, const QColor& background)
{
    const auto mix = [](int a, int b) { return (a * 35 + b * 65) / 100; };
    return {mix(color.red(), background.red()), mix(color.green(), background.green()),
        mix(color.blue(), background.blue())};
}

QCPScatterStyle markerOf(int number, const QColor& color, double size)
{
    static constexpr QCPScatterStyle::ScatterShape Shapes[]
        = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
            QCPScatterStyle::ssTriangleInverted, QCPScatterStyle::ssCross};
    return {Shapes[static_cast<std::size_t>(number) % std::size(Shapes)], color, color, size};
}

bool isBars(const SeriesSpec& series)
{
    return series.style == SeriesStyle::Bars || series.style == SeriesStyle::StackedBars;
}

/// Lowest and highest finite value, above zero on a log axis.
struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value, Scale scale)
    {
        if (std::isfinite(value) && (scale == Scale::Linear || value > 0.0)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    [[nodiscard]] bool isEmpty() const { return low > high; }
};

QCPRange padded(Extent extent, const AxisSpec& axis, double share)
{
    if (extent.isEmpty()) {
        return axis.scale == Scale::Log ? QCPRange(0.1, 10.0) : QCPRange(0.0, 1.0);
    }
    if (axis.scale == Scale::Log) {
        const double factor = std::max(1.05, std::pow(extent.high / extent.low, share));
        extent = {extent.low / factor, extent.high * factor};
    } else {
        const double span = extent.high - extent.low;
        const double room = span > 0.0 ? span * share : std::max(std::fabs(extent.high) * 0.1, 0.5);
        extent = {extent.low - room, extent.high + room};
    }
    return {axis.minimum.value_or(extent.low), axis.maximum.value_or(extent.high)};
}

QString axisTitle(const AxisSpec& axis)
{
    return axis.unit.isEmpty() ? axis.label : QStringLiteral("%1 (%2)").arg(axis.label, axis.unit);
}

} // namespace

ChartPainter::ChartPainter(QCustomPlot& plot)
    : m_plot(plot)
{
    m_plot.setAutoAddPlottableToLegend(false);
    m_plot.axisRect()->setupFullAxesBox(false);
    m_plot.xAxis2->setVisible(false);
    m_plot.yAxis2->setVisible(false);
    m_plot.legend->setVisible(true);
    m_plot.legend->setBorderPen(Qt::NoPen);
    m_plot.legend->setRowSpacing(1);
    m_plot.axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignRight | Qt::AlignTop);
}

void ChartPainter::styleAxis(QCPAxis* axis) const
{
    const ChartTheme& theme = m_style.theme;
    const QPen line(theme.axis, m_style.lineFactor);
    axis->setBasePen(line);
    axis->setTickPen(line);
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelFont(m_style.font);
    axis->setLabelFont(m_style.font);
    axis->setTickLabelColor(theme.dimText);
    axis->setLabelColor(theme.text);
    axis->grid()->setPen(QPen(theme.grid, m_style.lineFactor, Qt::SolidLine));
    axis->grid()->setSubGridVisible(false);
    axis->grid()->setZeroLinePen(QPen(theme.grid, m_style.lineFactor));
    axis->setTickLengthIn(0);
    axis->setTickLengthOut(static_cast<int>(std::lround(3 * m_style.lineFactor)));
}

void ChartPainter::setStyle(const ChartStyle& style)
{
    m_style = style;
    m_plot.setBackground(style.theme.background);
    styleAxis(m_plot.xAxis);
    styleAxis(m_plot.yAxis);
    m_plot.legend->setFont(style.font);
    m_plot.legend->setTextColor(style.theme.text);
    QColor under = style.theme.background;
    under.setAlpha(225);
    m_plot.legend->setBrush(under);
    m_layout.clear(); // pens are made anew
}

void ChartPainter::setAxis(QCPAxis* axis, const AxisSpec& spec)
{
    axis->setLabel(axisTitle(spec));
    if (!spec.categories.empty()) {
        QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        for (std::size_t i = 0; i < spec.categories.size(); ++i) {
            ticker->addTick(static_cast<double>(i), spec.categories[i]);
        }
        axis->setTicker(ticker);
        axis->setScaleType(QCPAxis::stLinear);
        axis->grid()->setVisible(false);
        return;
    }
    axis->grid()->setVisible(true);
    if (spec.scale == Scale::Log) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
        axis->setNumberFormat(QStringLiteral("gb"));
        axis->setNumberPrecision(3);
    } else {
        axis->setScaleType(QCPAxis::stLinear);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
        axis->setNumberFormat(QStringLiteral("gb"));
        axis->setNumberPrecision(6);
    }
}

void ChartPainter::fillCurve(CurveGraph* graph, const SeriesSpec& series, Scale scale) const
{
    QVector<QCPGraphData> points;
    points.reserve(static_cast<qsizetype>(series.x.size()));
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double y = series.y[i];
        const bool drawn = std::isfinite(y) && (scale == Scale::Linear || y > 0.0);
        points.append({series.x[i], drawn ? y : std::numeric_limits<double>::quiet_NaN()});
    }
    graph->data()->set(points, true);
}

void ChartPainter::syncCurves(const ChartSpec& chart)
{
    QStringList layout;
    for (const SeriesSpec& series : chart.series) {
        layout += series.key + u'\n' + series.name + u'\n' + series.color.name()
            + QString::number(static_cast<int>(series.style)) + QString::number(series.width);
    }
    if (layout != m_layout) {
        m_layout = layout;
        m_plot.clearPlottables();
        m_plot.legend->clearItems();
        m_plottables.clear();
        for (const SeriesSpec& series : chart.series) {
            auto* graph = new CurveGraph(m_plot.xAxis, m_plot.yAxis);
            const bool faint = series.style == SeriesStyle::FaintLine;
            const QColor color = faint ? pale(series.color, m_style.theme.background) : series.color;
            QPen pen(color, (faint ? 1.0 : series.width) * m_style.lineFactor);
            pen.setStyle(series.style == SeriesStyle::DashedLine ? Qt::DashLine : Qt::SolidLine);
            graph->setPen(pen);
            graph->setAdaptiveSampling(true);
            if (series.style == SeriesStyle::Markers) {
                graph->setLineStyle(QCPGraph::lsNone);
            }
            if (series.style == SeriesStyle::Markers || series.style == SeriesStyle::LineAndMarkers) {
                graph->setScatterStyle(markerOf(series.marker, color, 6.0 * m_style.lineFactor));
            }
            graph->setName(series.name);
            if (!series.name.isEmpty()) {
                graph->addToLegend();
            }
            m_plottables[series.key] = graph;
        }
    }
    for (const SeriesSpec& series : chart.series) {
        fillCurve(static_cast<CurveGraph*>(m_plottables[series.key]), series, chart.y.scale);
    }
}

void ChartPainter::rebuildBars(const ChartSpec& chart)
{
    // Few of them: made anew each time.
    m_layout.clear();
    m_plottables.clear();
    m_plot.clearPlottables();
    m_plot.legend->clearItems();
    QCPBars* below = nullptr;
    for (const SeriesSpec& series : chart.series) {
        auto* bars = new QCPBars(m_plot.xAxis, m_plot.yAxis);
        bars->setData(
            QVector<double>(series.x.begin(), series.x.end()), QVector<double>(series.y.begin(), series.y.end()), true);
        bars->setWidth(0.6);
        bars->setPen(Qt::NoPen);
        bars->setBrush(series.color);
        bars->setName(series.name);
        bars->setAntialiased(false);
        if (series.style == SeriesStyle::StackedBars && below != nullptr) {
            bars->moveAbove(below);
        }
        below = bars;
        bars->addToLegend();
        m_plottables[series.key] = bars;
    }
}

void ChartPainter::syncMarks(const ChartSpec& chart)
{
    for (QCPAbstractItem* mark : m_marks) {
        m_plot.removeItem(mark);
    }
    m_marks.clear();
    for (const MarkSpec& mark : chart.marks) {
        auto* line = new QCPItemStraightLine(&m_plot);
        line->point1->setCoords(mark.x, 0.0);
        line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
        line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
        line->point1->setCoords(mark.x, 0.0);
        line->point2->setCoords(mark.x, 1.0);
        line->setPen(QPen(m_style.theme.dimText, m_style.lineFactor, Qt::DashLine));
        auto* text = new QCPItemText(&m_plot);
        text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(mark.x, 0.02);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        text->setText(mark.text);
        text->setFont(m_style.font);
        text->setColor(m_style.theme.dimText);
        text->setPadding(QMargins(3, 0, 0, 0));
        m_marks.push_back(line);
        m_marks.push_back(text);
    }
}

void ChartPainter::placeLegend(const ChartSpec& chart)
{
    m_plot.legend->setVisible(m_plot.legend->itemCount() > 0);
    // Curves that fall leave the upper right free, curves that rise the lower right; bars want it outside their middle.
    int rising = 0;
    for (const SeriesSpec& series : chart.series) {
        if (!isBars(series) && series.y.size() > 1 && std::isfinite(series.y.front())
            && std::isfinite(series.y.back())) {
            rising += series.y.back() > series.y.front() ? 1 : -1;
        }
    }
    m_plot.axisRect()->insetLayout()->setInsetAlignment(
        0, Qt::AlignRight | (rising > 0 ? Qt::AlignBottom : Qt::AlignTop));
}

void ChartPainter::fitRanges(const ChartSpec& chart)
{
    Extent x;
    Extent y;
    std::vector<double> stacked(chart.x.categories.size(), 0.0);
    for (const SeriesSpec& series : chart.series) {
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            x.add(series.x[i], chart.x.scale);
            if (series.style == SeriesStyle::StackedBars && i < stacked.size()) {
                stacked[i] += std::isfinite(series.y[i]) ? series.y[i] : 0.0;
                y.add(stacked[i], chart.y.scale);
            } else {
                y.add(series.y[i], chart.y.scale);
            }
        }
    }
    if (!chart.x.categories.empty()) {
        // Room at the right for the legend, and bars that do not fill the page when there is only one.
        const auto count = static_cast<double>(chart.x.categories.size());
        m_plot.xAxis->setRange(-0.7, std::max(3.0, count) + 0.2);
    } else {
        m_plot.xAxis->setRange(padded(x, chart.x, 0.01));
    }
    m_plot.yAxis->setRange(padded(y, chart.y, 0.05));
}

void ChartPainter::setChart(const ChartSpec& chart, Ranges ranges)
{
    setAxis(m_plot.xAxis, chart.x);
    setAxis(m_plot.yAxis, chart.y);
    const bool bars = std::any_of(chart.series.begin(), chart.series.end(), isBars);
    if (bars) {
        rebuildBars(chart);
    } else {
        syncCurves(chart);
    }
    syncMarks(chart);
    placeLegend(chart);
    if (ranges == Ranges::Fit) {
        fitRanges(chart);
    }
}

QString ChartPainter::keyOf(const QCPAbstractLegendItem* item) const
{
    const auto* entry = qobject_cast<const QCPPlottableLegendItem*>(item);
    for (const auto& [key, plottable] : m_plottables) {
        if (entry != nullptr && plottable == const_cast<QCPPlottableLegendItem*>(entry)->plottable()) {
            return key;
        }
    }
    return {};
}

} // namespace lockstep::ui
