#include "ui/charts/curve_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {

namespace {

constexpr double CurveGap = std::numeric_limits<double>::quiet_NaN();
/// Beyond it the rasteriser leaves its fast path; no paper is so large.
constexpr double FarthestDot = 30000.0;
/// On a vector device (288 dots an inch): finer than any pen.
constexpr double VectorColumn = 1.0;
/// From this many widths on a column of dots is drawn as an upright bar; flatter ones look better as slanted lines.
constexpr double BarWidths = 3.0;

bool isGap(const QPointF& point)
{
    return std::isnan(point.y());
}

} // namespace

void CurveGraph::Column::add(double y)
{
    if (y < low) {
        low = y;
        isLowFirst = false;
    }
    if (y > high) {
        high = y;
        isLowFirst = true;
    }
    last = y;
    isOfMany = true;
}

void CurveGraph::Column::appendTo(QVector<QPointF>& points) const
{
    points.append({x, first});
    const double nearer = isLowFirst ? low : high;
    const double further = isLowFirst ? high : low;
    for (const double y : {nearer, further, last}) {
        if (points.back().y() != y) {
            points.append({x, y});
        }
    }
}

void CurveGraph::setSeries(const SeriesSpec& series, Scale xScale, Scale yScale)
{
    QVector<QCPGraphData> points;
    points.reserve(static_cast<qsizetype>(series.x.size()));
    const bool hasBand = series.low.size() == series.x.size() && series.high.size() == series.x.size();
    m_hasWhiskers = series.hasWhiskers;
    m_stripe = series.stripe;
    m_stripes = std::max(1, series.stripes);
    m_stripesEnd = series.stripesEnd;
    m_low.clear();
    m_high.clear();
    const auto isDrawn
        = [](double value, Scale scale) { return std::isfinite(value) && (scale == Scale::Linear || value > 0.0); };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!isDrawn(series.x[i], xScale)) {
            continue;
        }
        points.append({series.x[i], isDrawn(series.y[i], yScale) ? series.y[i] : CurveGap});
        if (hasBand) {
            // A band whose lower end is below zero extends to the end of a logarithmic axis.
            const bool isBelow = yScale == Scale::Log && series.low[i] <= 0.0;
            m_low.push_back(isBelow                  ? std::numeric_limits<double>::min()
                    : isDrawn(series.low[i], yScale) ? series.low[i]
                                                     : CurveGap);
            m_high.push_back(isDrawn(series.high[i], yScale) ? series.high[i] : CurveGap);
        }
    }
    data()->set(points, true);
}

void CurveGraph::setMarkers(const QCPScatterStyle& style, double spacing, double start)
{
    m_start = start;
    m_marker = style;
    m_spacing = spacing;
}

QVector<QPointF> CurveGraph::visiblePoints() const
{
    const QCPAxis& x = *mKeyAxis;
    const QCPAxis& y = *mValueAxis;
    // One point beyond each edge, so that lines reach the frame.
    const auto begin = mDataContainer->findBegin(x.range().lower, true);
    const auto end = mDataContainer->findEnd(x.range().upper, true);
    QVector<QPointF> points;
    points.reserve(static_cast<qsizetype>(end - begin));
    for (auto at = begin; at != end; ++at) {
        const double place = std::clamp(x.coordToPixel(at->key), -FarthestDot, FarthestDot);
        points.append({place,
            std::isnan(at->value) ? CurveGap : std::clamp(y.coordToPixel(at->value), -FarthestDot, FarthestDot)});
    }
    return points;
}

bool CurveGraph::isOwnStripe(double x) const
{
    const auto numberAt = [&](double place) {
        return static_cast<long long>(std::floor((place - mKeyAxis->axisRect()->left()) / m_stripeLength));
    };
    const long long number = numberAt(x);
    // The stretch in which a line ends is the first one that the others draw.
    if (m_stripesEnd && number >= numberAt(mKeyAxis->coordToPixel(*m_stripesEnd))) {
        return true;
    }
    return ((number % m_stripes) + m_stripes) % m_stripes == m_stripe;
}

QVector<QPointF> CurveGraph::ownStripes(const QVector<QPointF>& points) const
{
    const double left = mKeyAxis->axisRect()->left();
    QVector<QPointF> own;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const QPointF& point = points[i];
        if (isGap(point)) {
            own.append(point);
            continue;
        }
        if (i > 0 && !isGap(points[i - 1])) {
            const QPointF& last = points[i - 1];
            double border = left + (std::floor((last.x() - left) / m_stripeLength) + 1.0) * m_stripeLength;
            for (; border < point.x(); border += m_stripeLength) {
                const double share = (border - last.x()) / (point.x() - last.x());
                const QPointF cut(border, last.y() + share * (point.y() - last.y()));
                const bool wasOwn = isOwnStripe(border - m_stripeLength / 2.0);
                const bool isOwn = isOwnStripe(border + m_stripeLength / 2.0);
                if (wasOwn != isOwn) {
                    own.append(cut);
                    own.append(wasOwn ? QPointF(border, CurveGap) : cut);
                }
            }
        }
        if (isOwnStripe(point.x())) {
            own.append(point);
        }
    }
    return own;
}

QPointF CurveGraph::beside(const QVector<QPointF>& points, qsizetype point, double distance)
{
    const double x = points[point].x() + distance;
    const qsizetype step = distance < 0.0 ? -1 : 1;
    for (qsizetype i = point; i + step >= 0 && i + step < points.size() && !isGap(points[i + step]); i += step) {
        const QPointF& from = points[i];
        const QPointF& to = points[i + step];
        if ((to.x() - x) * static_cast<double>(step) >= 0.0 && to.x() != from.x()) {
            return {x, from.y() + (x - from.x()) / (to.x() - from.x()) * (to.y() - from.y())};
        }
    }
    return {x, points[point].y()};
}

/// A gap anywhere stays a gap, however many points share its column.
std::vector<CurveGraph::Column> CurveGraph::columnsOf(const QVector<QPointF>& points, double pixel)
{
    std::vector<Column> columns;
    double number = std::numeric_limits<double>::lowest();
    for (const QPointF& point : points) {
        const double here = std::floor(point.x() / pixel);
        const double y = point.y();
        if (isGap(point)) {
            columns.push_back({point.x(), y, y, y, y, true, true, false});
        } else if (here != number || columns.back().isGap) {
            columns.push_back({point.x(), y, y, y, y, true, false, false});
        } else {
            columns.back().add(y);
        }
        number = here;
    }
    return columns;
}

void CurveGraph::drawWhiskers(QCPPainter& painter) const
{
    QPen line = pen();
    line.setStyle(Qt::SolidLine);
    painter.setPen(line);
    std::size_t i = 0;
    for (auto at = mDataContainer->constBegin(); at != mDataContainer->constEnd(); ++at, ++i) {
        if (std::isfinite(m_low[i] + m_high[i])) {
            const double x = mKeyAxis->coordToPixel(at->key);
            painter.drawLine(QLineF(x, mValueAxis->coordToPixel(m_low[i]), x, mValueAxis->coordToPixel(m_high[i])));
        }
    }
}

void CurveGraph::drawBand(QCPPainter& painter) const
{
    if (m_low.empty()) {
        return;
    }
    if (m_hasWhiskers) {
        drawWhiskers(painter);
        return;
    }
    QPolygonF band;
    QPolygonF back;
    std::size_t i = 0;
    for (auto at = mDataContainer->constBegin(); at != mDataContainer->constEnd(); ++at, ++i) {
        if (std::isfinite(m_low[i] + m_high[i])) {
            const double x = mKeyAxis->coordToPixel(at->key);
            const auto place = [this](double value) {
                return std::clamp(mValueAxis->coordToPixel(value), -FarthestDot, FarthestDot);
            };
            band.append({x, place(m_low[i])});
            back.append({x, place(m_high[i])});
        }
    }
    std::reverse(back.begin(), back.end());
    QColor color = pen().color();
    color.setAlphaF(0.18F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(band + back);
    painter.setBrush(Qt::NoBrush);
}

void CurveGraph::drawPaths(QCPPainter& painter, const std::vector<Column>& columns) const
{
    QPen line = pen();
    line.setJoinStyle(Qt::RoundJoin);
    line.setCapStyle(line.style() == Qt::SolidLine ? Qt::RoundCap : Qt::FlatCap);
    painter.setPen(line);
    QPolygonF path;
    const auto flush = [&] {
        if (path.size() == 1) {
            painter.drawPoint(path.front());
        } else if (path.size() > 1) {
            painter.drawPolyline(path);
        }
        path.clear();
    };
    for (const Column& column : columns) {
        if (column.isGap) {
            flush();
        } else {
            column.appendTo(path);
        }
    }
    flush();
}

void CurveGraph::inkColumns(CurveRaster& raster, const std::vector<Column>& columns)
{
    const auto areNeighbours = [](const Column& a, const Column& b) { return !a.isGap && !b.isGap && b.x - a.x < 1.9; };
    // The middle of the dots where the points are many.
    const auto placeOf = [](const Column& column) { return column.isOfMany ? std::floor(column.x) + 0.5 : column.x; };
    bool wasBar = false;
    QPointF end; ///< of the previous column
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Column& column = columns[i];
        if (column.isGap) {
            wasBar = false;
            continue;
        }
        // Neighbours meet half way, so that bars have no gap between them.
        double low = column.low;
        double high = column.high;
        const bool hasLeft = i > 0 && areNeighbours(columns[i - 1], column);
        const auto include = [&](double y) {
            low = std::min(low, y);
            high = std::max(high, y);
        };
        if (hasLeft) {
            include((columns[i - 1].last + column.first) / 2.0);
        }
        if (i + 1 < columns.size() && areNeighbours(column, columns[i + 1])) {
            include((column.last + columns[i + 1].first) / 2.0);
        }
        const double x = placeOf(column);
        const bool isBar = high - low > BarWidths * raster.width();
        if (isBar) {
            raster.addBar(x, low, high);
        }
        // A flat column is one point, in its middle, so that lines through such columns do not break.
        const double middle = (column.low + column.high) / 2.0;
        if (i > 0 && !columns[i - 1].isGap && !(hasLeft && isBar && wasBar)) {
            raster.addLine(end, {x, isBar ? column.first : middle});
        }
        end = {x, isBar ? column.last : middle};
        const bool isAlone = (i == 0 || columns[i - 1].isGap) && (i + 1 == columns.size() || columns[i + 1].isGap);
        if (isAlone && !isBar) {
            raster.addLine({x - raster.width() / 2.0, column.first}, {x + raster.width() / 2.0, column.first});
        }
        wasBar = isBar;
    }
}

void CurveGraph::drawOnSheet(const QCPPainter& painter, QVector<QPointF> line) const
{
    CurveRaster& raster = m_sheet.raster(painter);
    for (QPointF& point : line) {
        point = m_sheet.dotOf(point + QPointF(m_aside, 0.0));
    }
    raster.begin(pen().color(), pen().widthF() * m_sheet.dots());
    inkColumns(raster, columnsOf(line, 1.0));
    raster.end();
}

void CurveGraph::drawMarkers(QCPPainter& painter, const QVector<QPointF>& points) const
{
    if (m_marker.isNone()) {
        return;
    }
    QCPScatterStyle marker = m_marker;
    marker.applyTo(&painter, marker.pen());
    // Markers of curves that lie on each other stand side by side; sparse ones start apart.
    const bool isShared = m_stripes > 1;
    const double start = isShared ? m_spacing * (0.2 + static_cast<double>(m_stripe) / m_stripes) : m_start;
    double next = m_start > 0.0 ? mKeyAxis->axisRect()->left() + start : -FarthestDot;
    const auto placeOf = [&](qsizetype i) {
        const double most = (m_stripes - 1) / 2.0;
        const double inward = i == 0 ? most : i + 1 == points.size() ? -most : 0.0; // the ends stay on the line
        return beside(points, i, (m_stripe - most + inward) * m_marker.size());
    };
    for (qsizetype i = 0; i < points.size(); ++i) {
        const QPointF& point = points[i];
        if (isGap(point) || point.x() < next) {
            continue;
        }
        marker.drawShape(&painter, isShared && m_start <= 0.0 ? placeOf(i) : point);
        next = point.x() + std::max(m_spacing, m_stripes * m_marker.size());
    }
    painter.setBrush(Qt::NoBrush);
}

void CurveGraph::draw(QCPPainter* painter)
{
    if (mKeyAxis.isNull() || mValueAxis.isNull() || mDataContainer->isEmpty()) {
        return;
    }
    painter->setAntialiasing(true);
    painter->translate(m_aside, 0.0);
    drawBand(*painter);
    const QVector<QPointF> points = visiblePoints();
    const QVector<QPointF> line = m_stripes > 1 ? ownStripes(points) : points;
    const bool isVector = painter->modes().testFlag(QCPPainter::pmVectorized);
    const bool isPath = isVector || pen().style() != Qt::SolidLine;
    if (lineStyle() != lsNone && isPath) {
        drawPaths(*painter, columnsOf(line, isVector ? VectorColumn : 1.0 / painter->device()->devicePixelRatioF()));
    } else if (lineStyle() != lsNone) {
        drawOnSheet(*painter, line);
    }
    if (isVector) {
        drawMarkers(*painter, points);
    } else if (!m_marker.isNone()) {
        m_sheet.afterwards([this, points](QCPPainter& after) {
            after.setAntialiasing(true);
            after.translate(m_aside, 0.0);
            drawMarkers(after, points);
            after.translate(-m_aside, 0.0);
        });
    }
    painter->translate(-m_aside, 0.0);
}

} // namespace lockstep::ui
