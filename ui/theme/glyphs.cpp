#include "ui/theme/glyphs.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double Unit = 16.0; ///< glyphs are drawn on a 16 x 16 grid

void drawGear(QPainter& painter, QPen pen)
{
    pen.setWidthF(1.5);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(8, 8), 4.2, 4.2);
    for (int tooth = 0; tooth < 8; ++tooth) {
        const double angle = tooth * M_PI / 4.0;
        const QPointF direction(std::cos(angle), std::sin(angle));
        painter.drawLine(QPointF(8, 8) + 4.6 * direction, QPointF(8, 8) + 6.6 * direction);
    }
    painter.drawEllipse(QPointF(8, 8), 1.3, 1.3);
}

void drawArrow(QPainter& painter, double tip, double tail)
{
    painter.drawPolyline(QPolygonF{{tail, 4.0}, {tip, 8.0}, {tail, 12.0}});
}

/// Of a chart's buttons: its data, saving it, the chart alone.
void drawChartGlyph(QPainter& painter, Glyph glyph)
{
    if (glyph == Glyph::Table) {
        painter.drawRect(QRectF(2.5, 3, 11, 10));
        for (const double y : {6.3, 9.7}) {
            painter.drawLine(QPointF(2.5, y), QPointF(13.5, y));
        }
        painter.drawLine(QPointF(6.5, 3), QPointF(6.5, 13));
    } else if (glyph == Glyph::Copy) {
        painter.drawRect(QRectF(5.5, 5.5, 8, 8));
        painter.drawPolyline(QPolygonF{{3.5, 10.5}, {2.5, 10.5}, {2.5, 2.5}, {10.5, 2.5}, {10.5, 3.5}});
    } else if (glyph == Glyph::Save) {
        painter.drawLine(QPointF(8, 2.5), QPointF(8, 9.5));
        painter.drawPolyline(QPolygonF{{4.8, 6.6}, {8, 9.8}, {11.2, 6.6}});
        painter.drawPolyline(QPolygonF{{2.5, 10.5}, {2.5, 13.5}, {13.5, 13.5}, {13.5, 10.5}});
    } else {
        painter.drawLine(QPointF(3, 13), QPointF(13, 3));
        painter.drawPolyline(QPolygonF{{8.5, 3}, {13, 3}, {13, 7.5}});
        painter.drawPolyline(QPolygonF{{3, 8.5}, {3, 13}, {7.5, 13}});
    }
}

void drawGlyph(QPainter& painter, Glyph glyph, const QColor& color)
{
    QPen pen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (glyph) {
    case Glyph::Run:
        painter.drawPolygon(QPolygonF{{4.0, 2.5}, {13.0, 8.0}, {4.0, 13.5}});
        return;
    case Glyph::Pause:
        painter.drawRect(QRectF(3.5, 3, 3, 10));
        painter.drawRect(QRectF(9.5, 3, 3, 10));
        return;
    case Glyph::Stop:
        painter.drawRect(QRectF(3.5, 3.5, 9, 9));
        return;
    case Glyph::Settings:
        drawGear(painter, pen);
        return;
    default:
        break;
    }
    if (glyph == Glyph::StepBack || glyph == Glyph::StepForward) {
        const bool isBack = glyph == Glyph::StepBack;
        painter.drawPolygon(isBack ? QPolygonF{{12.5, 3.5}, {5.5, 8.0}, {12.5, 12.5}}
                                   : QPolygonF{{3.5, 3.5}, {10.5, 8.0}, {3.5, 12.5}});
        painter.drawRect(QRectF(isBack ? 3.0 : 11.0, 3.5, 2.0, 9.0));
        return;
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (glyph == Glyph::Message) {
        painter.drawRect(QRectF(2.5, 4, 11, 8));
        painter.drawPolyline(QPolygonF{{2.5, 4.5}, {8, 9}, {13.5, 4.5}});
    } else if (glyph == Glyph::Table || glyph == Glyph::Copy || glyph == Glyph::Save || glyph == Glyph::Enlarge) {
        drawChartGlyph(painter, glyph);
    } else if (glyph == Glyph::Search) {
        painter.drawEllipse(QPointF(7, 7), 4.2, 4.2);
        painter.drawLine(QPointF(10.3, 10.3), QPointF(13.4, 13.4));
    } else if (glyph == Glyph::Reset) {
        painter.drawArc(QRectF(3.5, 3.5, 9, 9), 120 * 16, 290 * 16);
        painter.drawPolyline(QPolygonF{{2.6, 2.6}, {5.4, 4.4}, {3.2, 7.0}});
    } else if (glyph == Glyph::Close) {
        painter.drawLine(QPointF(4, 4), QPointF(12, 12));
        painter.drawLine(QPointF(12, 4), QPointF(4, 12));
    } else if (glyph == Glyph::Folder) {
        painter.drawPolygon(QPolygonF{{2, 3.5}, {6.5, 3.5}, {8, 5.5}, {14, 5.5}, {14, 13}, {2, 13}});
    } else if (glyph == Glyph::Left) {
        drawArrow(painter, 6.0, 10.0);
    } else {
        drawArrow(painter, 10.0, 6.0);
    }
}

class GlyphEngine final : public QIconEngine {
public:
    explicit GlyphEngine(Glyph glyph)
        : m_glyph(glyph)
    { }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QPalette palette = QApplication::palette();
        const QColor color = mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                                                     : palette.color(group, QPalette::ButtonText);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const double side = std::min(rect.width(), rect.height());
        painter->translate(rect.center().x() + 0.5 - side / 2.0, rect.center().y() + 0.5 - side / 2.0);
        painter->scale(side / Unit, side / Unit);
        drawGlyph(*painter, m_glyph, color);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new GlyphEngine(m_glyph); }

private:
    Glyph m_glyph;
};

} // namespace

QIcon glyphIcon(Glyph glyph)
{
    return QIcon(new GlyphEngine(glyph));
}

QIcon appIcon()
{
    QSvgRenderer renderer(QStringLiteral(":/icons/lockstep.svg"));
    QIcon icon;
    for (const int side : {16, 32, 48, 128, 256}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace lockstep::ui
