#include "ui/charts/cell_map.h"

#include "ui/models/numbers.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

QColor between(const QColor& from, const QColor& to, double share)
{
    const auto mix = [share](float a, float b) { return a + (b - a) * static_cast<float>(share); };
    return QColor::fromRgbF(
        mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()), mix(from.blueF(), to.blueF()));
}

/// Perceived brightness (ITU-R BT.601).
double brightness(const QColor& color)
{
    return 0.299 * color.redF() + 0.587 * color.greenF() + 0.114 * color.blueF();
}

} // namespace

CellMap::CellMap(QCustomPlot& plot, const ChartSpec& chart, const ChartStyle& style)
    : QCPAbstractItem(&plot)
    , m_rows(chart.series)
    , m_style(style)
{
    setClipToAxisRect(true);
    setSelectable(false);
    for (const SeriesSpec& row : m_rows) {
        for (const double value : row.y) {
            m_largest = std::isfinite(value) ? std::max(m_largest, value) : m_largest;
        }
    }
}

void CellMap::draw(QCPPainter* painter)
{
    const QCPAxis& x = *mParentPlot->xAxis;
    const QCPAxis& y = *mParentPlot->yAxis;
    painter->setFont(m_style.font);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const double top = y.coordToPixel(static_cast<double>(row) - 0.5);
        const double bottom = y.coordToPixel(static_cast<double>(row) + 0.5);
        for (std::size_t i = 0; i < m_rows[row].x.size(); ++i) {
            const double left = x.coordToPixel(m_rows[row].x[i] - 0.5);
            const double right = x.coordToPixel(m_rows[row].x[i] + 0.5);
            drawCell(*painter, QRectF(QPointF(left, top), QPointF(right, bottom)).normalized(), m_rows[row].y[i]);
        }
        if (m_rows[row].width > 1.0 && row > 0) {
            painter->setPen(QPen(m_style.theme.text, m_style.lineFactor));
            painter->drawLine(QLineF(
                x.coordToPixel(-0.5), top, x.coordToPixel(static_cast<double>(m_rows[row].x.size()) - 0.5), top));
        }
    }
}

void CellMap::drawCell(QCPPainter& painter, const QRectF& place, double value) const
{
    if (!std::isfinite(value)) {
        return;
    }
    const double share = m_largest > 0.0 ? value / m_largest : 0.0;
    const QColor fill = between(m_style.theme.background, m_rows.front().color, share);
    painter.setPen(QPen(m_style.theme.grid, m_style.lineFactor));
    painter.setBrush(fill);
    painter.drawRect(place);
    const QString text = countText(static_cast<std::int64_t>(std::llround(value)));
    const QSizeF size = painter.fontMetrics().size(Qt::TextSingleLine, text);
    if (value > 0.0 && size.width() < place.width() && size.height() <= place.height() + 2.0 * m_style.lineFactor) {
        painter.setPen(brightness(fill) > 0.55 ? QColor(Qt::black) : QColor(Qt::white));
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

} // namespace lockstep::ui
