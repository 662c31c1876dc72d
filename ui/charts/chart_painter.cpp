#include "ui/charts/chart_painter.h"

#include "ui/charts/axis_names.h"
#include "ui/charts/axis_tickers.h"
#include "ui/charts/cell_map.h"
#include "ui/models/chart_axes.h"
#include "ui/models/number_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::ui {

namespace {

constexpr double MarkerSize = 6.0;
constexpr double LoneMarkerSize = 9.0; ///< of points that no line joins
constexpr double MarkerSpacing = 14.0; ///< of charts whose points are marked
constexpr double SparseSpacing = 75.0; ///< of lines with markers only to distinguish them
constexpr double StripeLength = 14.0; ///< of lines that lie on each other and take turns
constexpr float FaintAlpha = 0.42F;

QColor faded(const QColor& color, const QColor& ground, float share)
{
    const auto mix = [share](float a, float b) { return a * share + b * (1.0F - share); };
    return QColor::fromRgbF(
        mix(color.redF(), ground.redF()), mix(color.greenF(), ground.greenF()), mix(color.blueF(), ground.blueF()));
}

bool operator!=(const MarkSpec& a, const MarkSpec& b)
{
    return a.x != b.x || a.text != b.text || a.until != b.until;
}

/// A stretch of the x axis, under the curves.
QCPAbstractItem* shaded(QCustomPlot& plot, const ChartStyle& style, double from, double to)
{
    constexpr float Shade = 0.12F;
    auto* area = new QCPItemRect(&plot);
    area->setLayer(QStringLiteral("grid"));
    area->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    area->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    area->topLeft->setCoords(from, 0.0);
    area->bottomRight->setCoords(to, 1.0);
    area->setPen(Qt::NoPen);
    area->setBrush(faded(style.theme.dimText, style.theme.background, Shade));
    return area;
}

QSharedPointer<QCPAxisTickerText> tickerOfNames(const std::vector<QString>& names, bool areBroken)
{
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (std::size_t i = 0; i < names.size(); ++i) {
        ticker->addTick(static_cast<double>(i), areBroken ? brokenName(names[i], names.size()) : names[i]);
    }
    return ticker;
}

/// What the curves are built for.
QStringList curveLayout(const ChartSpec& chart)
{
    QStringList layout;
    for (const SeriesSpec& series : chart.series) {
        if (series.isVisible) {
            layout += QStringLiteral("%1\n%2\n%3\n%4\n%5\n%6")
                          .arg(series.key, series.color.name())
                          .arg(static_cast<int>(series.style))
                          .arg(static_cast<int>(series.dash))
                          .arg(series.width)
                          .arg(series.marker);
        }
    }
    return layout;
}

} // namespace

void updateLayout(QCustomPlot& plot)
{
    for (const auto phase :
        {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
        plot.plotLayout()->update(phase);
    }
}

ChartPainter::ChartPainter(QCustomPlot& plot)
    : m_plot(plot)
    , m_legend(new LegendStrip(plot))
    , m_sheet(new CurveSheet(plot))
    , m_ends(new LineEnds(plot))
    , m_fit(plot)
{
    m_plot.setAutoAddPlottableToLegend(false);
    m_plot.legend->setVisible(false);
    m_plot.plotLayout()->insertRow(0);
    m_plot.plotLayout()->addElement(0, 0, m_legend);
    m_plot.plotLayout()->setRowSpacing(0);
    m_plot.axisRect()->setupFullAxesBox(false);
    m_plot.xAxis2->setVisible(false);
    m_plot.yAxis2->setVisible(false);
    QObject::connect(&m_plot, &QCustomPlot::afterLayout, &m_whileHere, [this] { settle(); });
}

int ChartPainter::scaled(double length) const
{
    return static_cast<int>(std::lround(length * m_style.lineFactor));
}

void ChartPainter::styleAxis(QCPAxis* axis) const
{
    const ChartTheme& theme = m_style.theme;
    const QPen line(theme.axis, m_style.lineFactor * m_style.penFactor);
    const QPen thin(theme.grid, m_style.lineFactor * m_style.penFactor);
    axis->setBasePen(line);
    axis->setTickPen(line);
    axis->setSubTickPen(Qt::NoPen);
    axis->setSubTicks(false);
    axis->setTickLabelFont(m_style.font);
    axis->setLabelFont(m_style.font);
    axis->setTickLabelColor(theme.dimText);
    axis->setLabelColor(theme.text);
    axis->grid()->setPen(thin);
    axis->grid()->setZeroLinePen(thin);
    axis->grid()->setSubGridVisible(false);
    axis->setTickLength(0, scaled(4));
    axis->setTickLabelPadding(scaled(3));
    axis->setLabelPadding(scaled(axis->orientation() == Qt::Horizontal ? 3 : 5));
    axis->setPadding(0);
}

void ChartPainter::setStyle(const ChartStyle& style)
{
    m_style = style;
    m_plot.setBackground(style.theme.background);
    styleAxis(m_plot.xAxis);
    styleAxis(m_plot.yAxis);
    const int edge = scaled(6);
    m_plot.plotLayout()->setMargins(QMargins(edge, edge, scaled(14), edge));
    m_legend->setStyle(style);
    placeLegend();
    m_layout = {QStringLiteral("stale")}; // makes new pens
    m_shownMarks = {MarkSpec{}};
}

void ChartPainter::placeLegend()
{
    QCPLayoutGrid& rows = *m_plot.plotLayout();
    m_legend->layout()->take(m_legend);
    rows.simplify(); // an empty row would take its share of the height
    if (m_legend->isInside()) {
        const Qt::Alignment edge = m_style.legend == LegendPlace::TopRight ? Qt::AlignTop : Qt::AlignBottom;
        m_plot.axisRect()->insetLayout()->addElement(m_legend, edge | Qt::AlignRight);
    } else if (m_style.legend == LegendPlace::Below) {
        rows.addElement(rows.rowCount(), 0, m_legend);
    } else {
        rows.insertRow(0);
        rows.addElement(0, 0, m_legend);
    }
}

void ChartPainter::setAxis(QCPAxis* axis, const AxisSpec& spec)
{
    m_fit.setAxis(axis, spec);
    QString kind = QString::number(static_cast<int>(spec.scale)) + u' ' + QString::number(spec.base)
        + (spec.isCount ? u'#' : u' ');
    const std::vector<QString> categories = categoryNames(spec, axis->orientation());
    for (const QString& category : categories) {
        kind += u'\n' + category;
    }
    QString& shown = m_axes[axis == m_plot.xAxis ? 0 : 1];
    const double slot = (m_plot.viewport().width() - scaled(90)) / std::max<double>(1.0, double(categories.size()));
    const QFontMetricsF metrics(m_style.font);
    const double slant = axis->orientation() == Qt::Horizontal ? slantOf(categories, slot, metrics) : 0.0;
    const bool isSlanted = slant > 0.0;
    kind += QString::number(slant);
    if (axis == m_plot.xAxis) {
        m_leftRoom = isSlanted ? static_cast<int>(std::ceil(reachToTheLeft(categories, slot, slant, metrics))) : 0;
    }
    if (shown == kind) {
        return;
    }
    shown = kind;
    axis->setTickLabelRotation(-slant * 180.0 / std::numbers::pi);
    axis->grid()->setVisible(spec.categories.empty());
    axis->setTickLength(0, spec.categories.empty() ? scaled(4) : 0);
    if (!spec.categories.empty()) {
        axis->setScaleType(QCPAxis::stLinear);
        axis->setTicker(tickerOfNames(categories, axis->orientation() == Qt::Horizontal && !isSlanted));
        return;
    }
    axis->setScaleType(spec.scale == Scale::Log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setTicker(tickerOf(spec));
}

void ChartPainter::settle()
{
    constexpr int Rounds = 3; // margins depend on ticks, and ticks on the room between the margins
    for (int round = 0; round < Rounds && m_fit.fit(m_style, m_ends->room()); ++round) {
        updateLayout(m_plot);
    }
    turnMarks();
    spreadBarLabels();
}

void ChartPainter::clearPlottables()
{
    m_plot.clearPlottables();
    for (QCPAbstractItem* total : m_totals) {
        m_plot.removeItem(total);
    }
    m_totals.clear();
    m_barLabels.clear();
    m_curves.clear();
}

CurveGraph* ChartPainter::makeCurve(const SeriesSpec& series)
{
    const double factor = m_style.lineFactor;
    auto* graph = new CurveGraph(m_plot.xAxis, m_plot.yAxis, *m_sheet);
    QColor color = m_style.inkOf(series.color);
    const bool isFaint = series.style == SeriesStyle::FaintLine;
    if (isFaint && m_style.isPaper) {
        color = faded(color, m_style.theme.background, FaintAlpha);
    } else if (isFaint) {
        color.setAlphaF(FaintAlpha);
    }
    QPen pen(color, (isFaint ? 1.0 : series.width) * factor * m_style.penFactor);
    pen.setStyle(penStyleOf(series));
    graph->setPen(pen);
    if (series.style == SeriesStyle::Markers) {
        graph->setLineStyle(QCPGraph::lsNone);
    }
    graph->setStripeLength(StripeLength * factor);
    graph->setAside(series.aside * factor);
    const double size = series.style == SeriesStyle::Markers ? LoneMarkerSize : MarkerSize;
    const QCPScatterStyle marker = markerOf(series.marker, color, m_style.theme.background, size * factor);
    if (series.style == SeriesStyle::Markers || series.style == SeriesStyle::LineAndMarkers) {
        graph->setMarkers(marker, MarkerSpacing * factor, 0.0);
    } else if (series.style == SeriesStyle::Line && m_style.marksLines) {
        // Each curve's markers start elsewhere, so that they do not overlap where curves meet.
        graph->setMarkers(marker, SparseSpacing * factor, SparseSpacing * factor * (0.4 + 0.2 * (series.marker % 4)));
    }
    return graph;
}

void ChartPainter::syncCurves(const ChartSpec& chart)
{
    const QStringList layout = curveLayout(chart);
    if (layout != m_layout) {
        m_layout = layout;
        clearPlottables();
        for (const SeriesSpec& series : chart.series) {
            if (series.isVisible) {
                m_curves[series.key] = makeCurve(series);
            }
        }
    }
    for (const SeriesSpec& series : chart.series) {
        if (series.isVisible) {
            m_curves[series.key]->setSeries(series, chart.x.scale, chart.y.scale);
        }
    }
}

void ChartPainter::rebuildBars(const ChartSpec& chart)
{
    // Few, so they are made each time.
    m_layout = {QStringLiteral("bars")};
    clearPlottables();
    const BarPlaces places = barPlaces(chart);
    QCPBars* below = nullptr;
    QCPBars* belowFormula = nullptr;
    for (const SeriesSpec& series : chart.series) {
        const bool isFormula = series.style == SeriesStyle::FormulaBars;
        QVector<double> x(series.x.begin(), series.x.end());
        for (double& place : x) {
            place += isFormula ? places.formula : places.measured;
        }
        auto* bars = new QCPBars(m_plot.xAxis, m_plot.yAxis);
        bars->setData(x, QVector<double>(series.y.begin(), series.y.end()), true);
        bars->setWidth(places.width);
        const QColor ink = m_style.inkOf(series.color);
        bars->setPen(
            isFormula ? QPen(ink, m_style.lineFactor) : QPen(m_style.theme.background, 0.5 * m_style.lineFactor));
        bars->setBrush(barBrush(series, ink, m_style.lineFactor));
        QCPBars*& under = isFormula ? belowFormula : below;
        if (series.style != SeriesStyle::Bars && under != nullptr) {
            bars->moveAbove(under);
        }
        if (series.low.size() == series.y.size() && series.high.size() == series.y.size() && !series.y.empty()
            && (under == nullptr || series.hasWhiskers)) {
            addIntervals(series, bars);
        }
        under = bars;
    }
    labelBars(chart);
}

void ChartPainter::rebuildCells(const ChartSpec& chart)
{
    m_layout = {QStringLiteral("cells")};
    clearPlottables();
    m_totals.push_back(new CellMap(m_plot, chart, m_style));
}

/// Of the lowest part of each bar, which touches the axis; with whiskers if the bar has no other part.
void ChartPainter::addIntervals(const SeriesSpec& series, QCPBars* bars)
{
    auto* intervals = new QCPErrorBars(m_plot.xAxis, m_plot.yAxis);
    intervals->setDataPlottable(bars);
    QVector<double> minus;
    QVector<double> plus;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        minus.append(series.y[i] - series.low[i]);
        plus.append(series.high[i] - series.y[i]);
    }
    intervals->setData(minus, plus);
    intervals->setPen(QPen(m_style.theme.text, 1.0 * m_style.lineFactor));
    intervals->setWhiskerWidth(scaled(6));
    intervals->setSymbolGap(0);
}

void ChartPainter::labelBars(const ChartSpec& chart)
{
    constexpr std::size_t MostTotals = 16; // with more the numbers would overlap
    const std::vector<BarLabel> labels = barLabels(chart);
    for (std::size_t i = 0; i < labels.size() && labels.size() <= MostTotals; ++i) {
        const BarLabel& label = labels[i];
        auto* text = new QCPItemText(&m_plot);
        text->setClipToAxisRect(false);
        text->position->setCoords(label.x, label.y);
        text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        text->setTextAlignment(Qt::AlignCenter);
        text->setPadding(QMargins(0, 0, 0, scaled(2)));
        text->setText(label.text);
        text->setFont(m_style.font);
        text->setColor(label.isFormula ? m_style.theme.dimText : m_style.theme.text);
        m_totals.push_back(text);
        m_barLabels.push_back(text);
    }
}

/// A label that would lie on one further left is raised above it.
void ChartPainter::spreadBarLabels()
{
    const QFontMetricsF metrics(m_style.font);
    std::vector<QRectF> taken;
    for (QCPItemText* label : m_barLabels) {
        QRectF place = metrics.boundingRect(QRectF(), Qt::AlignCenter, label->text());
        place.moveCenter(label->position->pixelPosition());
        place.moveBottom(label->position->pixelPosition().y());
        const double bottom = place.bottom();
        for (auto other = taken.begin(); other != taken.end();) {
            const bool isFree = !place.intersects(*other);
            if (!isFree) {
                place.moveBottom(other->top() - 1.0);
            }
            other = isFree ? other + 1 : taken.begin();
        }
        taken.push_back(place);
        label->setPadding(QMargins(0, 0, 0, scaled(2) + static_cast<int>(std::lround(bottom - place.bottom()))));
    }
}

void ChartPainter::syncMarks(const ChartSpec& chart)
{
    if (std::equal(chart.marks.begin(), chart.marks.end(), m_shownMarks.begin(), m_shownMarks.end(),
            [](const MarkSpec& a, const MarkSpec& b) { return !(a != b); })) {
        return;
    }
    m_shownMarks = chart.marks;
    for (QCPAbstractItem* mark : m_marks) {
        m_plot.removeItem(mark);
    }
    m_marks.clear();
    m_markTexts.clear();
    int row = 0;
    for (const MarkSpec& mark : chart.marks) {
        if (mark.until) {
            m_marks.push_back(shaded(m_plot, m_style, mark.x, *mark.until));
        }
        auto* line = new QCPItemStraightLine(&m_plot);
        line->setLayer(m_sheet->layer());
        line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
        line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
        line->point1->setCoords(mark.x, 0.0);
        line->point2->setCoords(mark.x, 1.0);
        line->setPen(QPen(m_style.theme.dimText, m_style.lineFactor, Qt::DashLine));
        auto* text = new QCPItemText(&m_plot);
        text->setLayer(m_sheet->layer());
        text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        // Marks close to each other alternate between three lines.
        text->position->setCoords(mark.x, 0.02 + 0.06 * (row++ % 3));
        text->setText(mark.text);
        text->setFont(m_style.font);
        text->setColor(m_style.theme.dimText);
        text->setPadding(QMargins(scaled(3), 0, scaled(3), 0));
        m_marks.push_back(line);
        m_marks.push_back(text);
        m_markTexts.push_back(text);
    }
}

/// Texts point to the middle of what is in view, so that the frame cuts none off.
void ChartPainter::turnMarks()
{
    const int middle = m_plot.axisRect()->center().x();
    for (QCPItemText* text : m_markTexts) {
        const bool isRight = text->position->pixelPosition().x() > middle;
        text->setPositionAlignment((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    }
}

void ChartPainter::fitRanges(const ChartSpec& chart)
{
    m_plot.yAxis->setRangeReversed(areCells(chart));
    const ChartRanges ranges = fittedRanges(chart);
    m_plot.xAxis->setRange(ranges.x.low, ranges.x.high);
    m_plot.yAxis->setRange(ranges.y.low, ranges.y.high);
}

void ChartPainter::layOutLegend(const ChartSpec& chart)
{
    const QMargins margins = m_plot.plotLayout()->margins();
    const QSize page = m_plot.viewport().size();
    m_legend->setEntries(chart.series, chart.remark, page.width() - margins.left() - margins.right(), page.height());
}

void ChartPainter::setChart(const ChartSpec& chart, Ranges ranges)
{
    setAxis(m_plot.xAxis, chart.x);
    setAxis(m_plot.yAxis, chart.y);
    if (areCells(chart)) {
        rebuildCells(chart);
    } else if (std::any_of(chart.series.begin(), chart.series.end(), isBars)) {
        rebuildBars(chart);
    } else {
        syncCurves(chart);
    }
    syncMarks(chart);
    m_ends->setChart(chart, m_style);
    m_plot.axisRect()->setMinimumMargins(QMargins(m_leftRoom, scaled(8), m_ends->room(), 0));
    layOutLegend(chart);
    if (ranges == Ranges::Fit) {
        fitRanges(chart);
    }
}

} // namespace lockstep::ui
