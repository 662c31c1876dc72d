#include "ui/charts/cell_map.h"

#include "ui/models/number_text.h"
#include "ui/theme/ink.h"

#include <cmath>

namespace lockstep::ui {

namespace {

QColor between(const QColor& from, const QColor& to, double share)
{
    const auto mix = [share](float a, float b) { return a + (b - a) * static_cast<float>(share); };
    return QColor::fromRgbF(
        mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()), mix(from.blueF(), to.blueF()));
}

bool fits(const QCPPainter& painter, const QRectF& place, const QString& text, double lineFactor)
{
    const QRect size = painter.fontMetrics().boundingRect(QRect(0, 0, 10'000, 10'000), Qt::AlignLeft, text);
    return size.width() < place.width() && size.height() <= place.height() + 2.0 * lineFactor;
}

} // namespace

CellMap::CellMap(QCustomPlot& plot, const ChartSpec& chart, const ChartStyle& style)
    : QCPAbstractItem(&plot)
    , m_rows(chart.series)
    , m_style(style)
    , m_scale(cellScale(chart))
    , m_isCount(chart.cells.label.isEmpty())
{
    setClipToAxisRect(true);
    setSelectable(false);
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
            const QRectF place = QRectF(QPointF(left, top), QPointF(right, bottom)).normalized();
            const QString text = i < m_rows[row].texts.size() ? m_rows[row].texts[i] : QString();
            if (std::isfinite(m_rows[row].y[i])) {
                drawCell(*painter, place, m_rows[row].y[i], text);
            } else if (!text.isEmpty()) {
                drawMissing(*painter, place, text);
            }
        }
        if (m_rows[row].width > 1.0 && row > 0) {
            painter->setPen(QPen(m_style.theme.text, m_style.lineFactor));
            painter->drawLine(QLineF(
                x.coordToPixel(-0.5), top, x.coordToPixel(static_cast<double>(m_rows[row].x.size()) - 0.5), top));
        }
    }
}

void CellMap::drawCell(QCPPainter& painter, const QRectF& place, double value, const QString& text) const
{
    const QColor fill = between(m_style.theme.background, m_style.inkOf(m_rows.front().color), m_scale.share(value));
    painter.setPen(QPen(m_style.theme.grid, m_style.lineFactor));
    painter.setBrush(fill);
    painter.drawRect(place);
    if (m_isCount && !(value > 0.0)) {
        return;
    }
    painter.setPen(inkOn(fill));
    // Where two lines have no room, the first alone may have.
    const QString whole = m_isCount ? countText(static_cast<std::int64_t>(std::llround(value))) : text;
    for (const QString& shown : {whole, whole.section(u'\n', 0, 0)}) {
        if (fits(painter, place, shown, m_style.lineFactor)) {
            painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, shown);
            return;
        }
    }
}

/// A cell without a number: its text, or a stroke where that has no room.
void CellMap::drawMissing(QCPPainter& painter, const QRectF& place, const QString& text) const
{
    painter.setPen(QPen(m_style.theme.grid, m_style.lineFactor));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place);
    painter.setPen(m_style.theme.dimText);
    if (fits(painter, place, text, m_style.lineFactor)) {
        painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, text);
    } else {
        painter.drawLine(QLineF(place.bottomLeft(), place.topRight()));
    }
}

} // namespace lockstep::ui
