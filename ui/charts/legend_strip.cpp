#include "ui/charts/legend_strip.h"

#include "ui/charts/legend_names.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

// In units of a SeriesSpec width of 1.
constexpr double SampleWidth = 20.0;
constexpr double SampleGap = 5.0;
constexpr double EntryGap = 16.0;
constexpr double SquareSide = 11.0;
constexpr double LineGap = 3.0;

double sampleWidth(const SeriesSpec& series)
{
    return isBars(series) ? SquareSide : SampleWidth;
}

} // namespace

Qt::PenStyle penStyleOf(const SeriesSpec& series)
{
    return series.style == SeriesStyle::DashedLine ? Qt::DashLine
        : series.style == SeriesStyle::DottedLine  ? Qt::DotLine
                                                   : penStyleOf(series.dash);
}

QCPScatterStyle markerOf(int number, const QColor& color, const QColor& ground, double size)
{
    static constexpr QCPScatterStyle::ScatterShape Shapes[] = {QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare,
        QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangleInverted,
        QCPScatterStyle::ssCross, QCPScatterStyle::ssPlus};
    const auto kinds = static_cast<int>(std::size(Shapes));
    // When they repeat, the shapes are hollow.
    const QColor inside = number / kinds % 2 == 0 ? color : ground;
    const auto shape = Shapes[static_cast<std::size_t>(number % kinds)];
    const bool isStroke = shape == QCPScatterStyle::ssCross || shape == QCPScatterStyle::ssPlus;
    // An outline in the background colour separates a filled marker from a noisy line of the same colour.
    const QPen pen(isStroke || inside == ground ? color : ground, size / (isStroke ? 4.0 : 7.0));
    return {shape, pen, inside, size};
}

QBrush barBrush(const SeriesSpec& series, const QColor& ink, double lineFactor)
{
    if (series.key != QLatin1String("phase/wait") && series.style != SeriesStyle::FormulaBars) {
        return ink;
    }
    QBrush hatched(ink, Qt::BDiagPattern);
    hatched.setTransform(QTransform::fromScale(lineFactor, lineFactor));
    return hatched;
}

LegendStrip::LegendStrip(QCustomPlot& plot)
    : QCPLayoutElement(&plot)
{
    setLayer(QStringLiteral("legend"));
    setMinimumMargins(QMargins());
    setMargins(QMargins());
}

void LegendStrip::setStyle(const ChartStyle& style)
{
    m_style = style;
    m_width = -1;
}

int LegendStrip::count() const
{
    return static_cast<int>(
        std::count_if(m_entries.begin(), m_entries.end(), [](const Entry& entry) { return !entry.isRemark; }));
}

bool LegendStrip::isInside() const
{
    return m_style.legend == LegendPlace::TopRight || m_style.legend == LegendPlace::BottomRight;
}

void LegendStrip::setEntries(const std::vector<SeriesSpec>& series, const QString& remark, int width, int pageHeight)
{
    std::vector<Entry> entries;
    const bool isShown = m_style.legend != LegendPlace::None;
    for (const SeriesSpec& each : series) {
        if (each.name.isEmpty() || !each.isInLegend || !isShown) {
            continue;
        }
        Entry entry;
        entry.series.key = each.key;
        entry.series.name = legendName(each.name);
        entry.series.color = each.color;
        entry.series.style = each.style;
        entry.series.dash = each.dash;
        entry.series.width = each.width;
        entry.series.marker = each.marker;
        entry.series.isVisible = each.isVisible;
        entries.push_back(std::move(entry));
    }
    // Each of its parts may be on another line: in a narrow chart all of them would be cut off.
    for (const QString& part : remark.split(QStringLiteral(" · "), Qt::SkipEmptyParts)) {
        Entry entry;
        entry.series.name = part;
        entry.isRemark = true;
        entries.push_back(std::move(entry));
    }
    const bool isSame = m_width == width && m_pageHeight == pageHeight
        && std::equal(entries.begin(), entries.end(), m_entries.begin(), m_entries.end(),
            [](const Entry& a, const Entry& b) { return a.series.name == b.series.name; });
    if (isSame) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].place = m_entries[i].place;
            entries[i].shown = m_entries[i].shown;
        }
        m_entries = std::move(entries);
        return;
    }
    m_entries = std::move(entries);
    m_pageHeight = pageHeight;
    layOut(width);
}

/// What a name has to its left.
double LegendStrip::sampleRoom(const Entry& entry)
{
    return entry.isRemark ? 0.0 : sampleWidth(entry.series) + SampleGap;
}

double LegendStrip::flow(int width)
{
    const QFontMetricsF metrics(m_style.font);
    const double f = m_style.lineFactor;
    const double height = std::ceil(metrics.height());
    double x = 0.0;
    double y = 0.0;
    m_used = 0.0;
    for (Entry& entry : m_entries) {
        entry.shown = entry.series.name;
        const double wide = sampleRoom(entry) * f + metrics.horizontalAdvance(entry.shown);
        if (x > 0.0 && (isInside() || x + wide > width)) {
            x = 0.0;
            y += height + LineGap * f;
        }
        entry.place = QRectF(x, y, wide, height);
        m_used = std::max(m_used, x + wide);
        x += wide + EntryGap * f;
    }
    return m_used > width ? 0.0 : y + height + LineGap * f;
}

/// A remark begins a new line. False where a name cannot be made to fit.
bool LegendStrip::layOutColumns(int columns, int width)
{
    const QFontMetricsF metrics(m_style.font);
    const double f = m_style.lineFactor;
    const double line = std::ceil(metrics.height()) + LineGap * f;
    const double column = (width - (columns - 1) * EntryGap * f) / columns;
    const auto fits = [&](const QString& name) {
        return metrics.horizontalAdvance(name) <= column - (SampleWidth + SampleGap) * f;
    };
    QStringList names;
    for (const Entry& entry : m_entries) {
        names += entry.isRemark ? QStringList() : QStringList(entry.series.name);
    }
    const QStringList shown = legendNames(names, fits);
    if (!std::ranges::all_of(shown, fits)) {
        return false;
    }
    const auto rows = (static_cast<int>(names.size()) + columns - 1) / columns;
    int number = 0;
    int remarks = 0;
    m_used = 0.0;
    for (Entry& entry : m_entries) {
        const int row = entry.isRemark ? rows + remarks++ : number % rows;
        const int place = number / rows; // of the column
        const double x = entry.isRemark ? 0.0 : place * (column + EntryGap * f);
        entry.shown = entry.isRemark ? metrics.elidedText(entry.series.name, Qt::ElideRight, width) : shown[number++];
        const double wide = sampleRoom(entry) * f + metrics.horizontalAdvance(entry.shown);
        entry.place = QRectF(x, row * line, wide, line - LineGap * f);
        m_used = std::max(m_used, x + wide);
    }
    return true;
}

void LegendStrip::layOut(int width)
{
    constexpr double LargestShare = 0.3; ///< of a page's height
    m_width = width;
    const double flowed = flow(width);
    const double most = m_pageHeight * LargestShare;
    if (m_style.isPaper && !isInside() && (flowed == 0.0 || flowed > most)) {
        const double line = std::ceil(QFontMetricsF(m_style.font).height()) + LineGap * m_style.lineFactor;
        for (int columns = 1; columns <= count() && layOutColumns(columns, width); ++columns) {
            const int rows = (count() + columns - 1) / columns;
            if (rows * line <= most) {
                break;
            }
        }
    }
    double bottom = 0.0;
    for (const Entry& entry : m_entries) {
        bottom = std::max(bottom, entry.place.bottom() + LineGap * m_style.lineFactor);
    }
    const int total = static_cast<int>(std::ceil(bottom));
    const int wide = static_cast<int>(std::ceil(m_used));
    setMinimumSize(isInside() ? wide : 0, total);
    setMaximumSize(isInside() ? wide : QWIDGETSIZE_MAX, total);
}

std::vector<LegendStrip::Placed> LegendStrip::placed() const
{
    std::vector<Placed> texts;
    for (const Entry& entry : m_entries) {
        texts.push_back(
            {entry.shown, entry.place.translated(rect().topLeft() + QPointF(indent(), 0.0)), entry.isRemark});
    }
    return texts;
}

double LegendStrip::indent() const
{
    const bool isAlone = parentPlot()->axisRectCount() == 0; // a legend of several charts
    const double wanted = isAlone ? 0.0 : parentPlot()->axisRect()->left() - rect().left();
    return std::clamp(rect().width() - m_used, 0.0, std::max(0.0, wanted));
}

QString LegendStrip::keyAt(const QPointF& place) const
{
    for (const Entry& entry : m_entries) {
        if (entry.place.translated(rect().topLeft() + QPointF(indent(), 0.0)).contains(place)) {
            return entry.series.key;
        }
    }
    return {};
}

void LegendStrip::applyDefaultAntialiasingHint(QCPPainter* painter) const
{
    painter->setAntialiasing(true);
}

void LegendStrip::drawSample(QCPPainter& painter, const Entry& entry, const QRectF& place) const
{
    const SeriesSpec& series = entry.series;
    const double f = m_style.lineFactor;
    QColor color = m_style.inkOf(series.color);
    color.setAlphaF(series.isVisible ? 1.0 : 0.35);
    if (isBars(series)) {
        const double side = std::min(place.height() * 0.62, SquareSide * f);
        painter.setPen(QPen(color, f));
        painter.setBrush(barBrush(series, color, f));
        painter.drawRect(QRectF(place.left(), place.center().y() - side / 2.0, side, side));
        return;
    }
    QPen pen(color, std::max(2.0, series.width) * f * m_style.penFactor);
    pen.setCapStyle(Qt::FlatCap);
    pen.setStyle(penStyleOf(series));
    painter.setPen(pen);
    if (series.style != SeriesStyle::Markers) {
        painter.drawLine(QLineF(place.left(), place.center().y(), place.right(), place.center().y()));
    }
    const bool isMarked = series.style == SeriesStyle::Markers || series.style == SeriesStyle::LineAndMarkers;
    if (isMarked || (m_style.marksLines && series.style == SeriesStyle::Line)) {
        QCPScatterStyle marker = markerOf(series.marker, color, m_style.theme.background, 6.0 * f);
        marker.applyTo(&painter, marker.pen());
        marker.drawShape(&painter, place.center());
    }
}

void LegendStrip::draw(QCPPainter* painter)
{
    const double f = m_style.lineFactor;
    painter->setFont(m_style.font);
    if (isInside() && !m_entries.empty()) {
        const double edge = LineGap * f;
        painter->fillRect(QRectF(rect()).adjusted(-edge, -edge, edge, edge), m_style.theme.background);
    }
    for (const Entry& entry : m_entries) {
        const QRectF place = entry.place.translated(rect().topLeft() + QPointF(indent(), 0.0));
        if (!entry.isRemark) {
            const double sample = sampleWidth(entry.series) * f;
            drawSample(*painter, entry, QRectF(place.left(), place.top(), sample, place.height()));
        }
        painter->setPen(entry.isRemark   ? m_style.theme.dimText
                : entry.series.isVisible ? m_style.theme.text
                                         : m_style.theme.axis);
        painter->drawText(place.adjusted(sampleRoom(entry) * f, 0, EntryGap * f, 0),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, entry.shown);
    }
}

} // namespace lockstep::ui
