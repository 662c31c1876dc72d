#include "ui/ring/ring_drawing.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::ui {

namespace {

constexpr double RingMargin = 12.0;
constexpr double LargestNode = 20.0;
constexpr double CircleShare = 0.42; ///< of the width; the table takes the rest
constexpr double LargestCell = 56.0;
constexpr double TallestCell = 34.0;

class RingTexts {
    Q_DECLARE_TR_FUNCTIONS(RingView)

public:
    static QString rank(int number) { return tr("rank %1").arg(number); }
    static QString chunk() { return tr("chunk"); }
    static QString sent(int exchanges) { return tr("sent of %1").arg(exchanges); }
    static QString legend() { return tr("Number: ranks summed. Full colour: complete."); }
};

QColor inkOnGround(const QColor& ground, const QColor& ink, double share)
{
    const auto mix = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return {mix(ground.red(), ink.red()), mix(ground.green(), ink.green()), mix(ground.blue(), ink.blue())};
}

QFont bold(QFont font)
{
    font.setBold(true);
    return font;
}

bool isIn(const std::vector<int>& numbers, int number)
{
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

/// Clockwise, rank 0 on top.
class Circle {
public:
    Circle(const QRectF& area, int ranks)
        : m_ranks(ranks)
    {
        const double half = std::min(area.width(), area.height()) / 2.0;
        // Neighbours keep half a node between them.
        const double angle = std::numbers::pi / ranks;
        m_node = std::clamp(half * std::sin(angle) / (1.0 + std::sin(angle)) * 0.72, 3.0, LargestNode);
        m_radius = half - m_node;
        m_centre = area.center();
    }

    [[nodiscard]] double node() const { return m_node; }
    [[nodiscard]] QPointF place(double rank, double inwards = 0.0) const
    {
        const double angle = 2.0 * std::numbers::pi * rank / m_ranks;
        return m_centre + (m_radius - inwards) * QPointF(std::sin(angle), -std::cos(angle));
    }
    /// From rank to rank + 1 along the circle, `share` of the way between the rims of the nodes.
    [[nodiscard]] double along(double rank, double share) const
    {
        const double rim = std::min(0.45, m_node * 1.15 / m_radius * m_ranks / (2.0 * std::numbers::pi));
        return rank + rim + (1.0 - 2.0 * rim) * share;
    }
    [[nodiscard]] QPainterPath arc(double from, double to) const
    {
        constexpr int Pieces = 24;
        QPainterPath path(place(from));
        for (int i = 1; i <= Pieces; ++i) {
            path.lineTo(place(from + (to - from) * i / Pieces));
        }
        return path;
    }

private:
    int m_ranks;
    double m_node = 0.0;
    double m_radius = 0.0;
    QPointF m_centre;
};

void paintArrowHead(QPainter& painter, const QPointF& before, const QPointF& tip, double size)
{
    const QPointF way = tip - before;
    const double length = std::max(1e-6, std::hypot(way.x(), way.y()));
    const QPointF forward = way / length * size;
    const QPointF side(-forward.y() * 0.5, forward.x() * 0.5);
    painter.drawPolygon(QPolygonF{tip, tip - forward + side, tip - forward - side});
}

void paintCircle(QPainter& painter, const QRectF& area, const RingScene& scene, const RingStyle& style)
{
    const int ranks = static_cast<int>(scene.picture.done.size());
    const Circle circle(area, ranks);
    const QColor ink = phaseColor(Phase::Communicate);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inkOnGround(style.theme.background, style.theme.axis, 0.45), 1.0));
    for (int rank = 0; rank < ranks; ++rank) {
        painter.drawPath(circle.arc(circle.along(rank, 0.0), circle.along(rank, 1.0)));
        paintArrowHead(painter, circle.place(circle.along(rank, 0.9)), circle.place(circle.along(rank, 1.0)), 6.0);
    }
    for (const RingFlight& flight : scene.picture.flights) {
        const double end = circle.along(flight.from, 1.0);
        painter.setPen(QPen(ink, 2.5, Qt::SolidLine, Qt::FlatCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(circle.arc(circle.along(flight.from, 0.0), circle.along(flight.from, 0.96)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        paintArrowHead(painter, circle.place(circle.along(flight.from, 0.9)), circle.place(end), 10.0);
    }
    const QFontMetricsF metrics(style.font);
    const bool hasText = circle.node() >= metrics.height() * 0.5;
    painter.setFont(style.font);
    for (int rank = 0; rank < ranks; ++rank) {
        const bool isWaitedFor = isIn(scene.waitedFor, rank);
        painter.setPen(QPen(isWaitedFor ? style.warning : style.theme.axis, isWaitedFor ? 3.0 : 1.2));
        painter.setBrush(style.theme.background);
        painter.drawEllipse(circle.place(rank), circle.node(), circle.node());
        if (hasText) {
            painter.setPen(isWaitedFor ? style.warning : style.theme.text);
            const QPointF centre = circle.place(rank);
            painter.drawText(QRectF(centre.x() - 30, centre.y() - 15, 60, 30), Qt::AlignCenter, QString::number(rank));
        }
    }
    // The chunk in transit, inside its arrow.
    const double badge = metrics.capHeight() / 2.0 + 4.0;
    const bool hasBadges = circle.node() >= 8.0;
    for (const RingFlight& flight : scene.picture.flights) {
        if (hasBadges) {
            const QPointF place = circle.place(circle.along(flight.from, flight.progress), badge + 6.0);
            painter.setPen(QPen(ink, 1.5));
            painter.setBrush(style.theme.background);
            painter.drawRoundedRect(QRectF(place.x() - badge, place.y() - badge, 2 * badge, 2 * badge), 3, 3);
            painter.setPen(style.theme.text);
            painter.drawText(
                QRectF(place.x() - 30, place.y() - 15, 60, 30), Qt::AlignCenter, QString::number(flight.chunk));
        }
    }
}

/// Rows are ranks, columns chunks; to the right each rank's number of finished messages.
class Table {
public:
    Table(const QRectF& area, const RingScene& scene, const RingStyle& style)
        : m_scene(scene)
        , m_style(style)
        , m_metrics(style.font)
        , m_ranks(static_cast<int>(scene.picture.done.size()))
        , m_exchanges(plan::ringExchanges(m_ranks))
    {
        m_row = m_metrics.height() + 4.0;
        const double left = m_metrics.horizontalAdvance(RingTexts::rank(std::max(10, m_ranks - 1))) + 8.0;
        m_right = m_metrics.horizontalAdvance(RingTexts::sent(m_exchanges)) + 14.0;
        m_legendRows = std::ceil(m_metrics.horizontalAdvance(RingTexts::legend()) * 1.05 / area.width());
        const double around = (1.0 + m_legendRows) * m_row;
        const double wide = std::min(LargestCell, (area.width() - left - m_right) / m_ranks);
        const double high = std::min(TallestCell, (area.height() - around) / m_ranks);
        m_cell = QSizeF(std::max(2.0, wide), std::max(2.0, high));
        const double whole = m_cell.height() * m_ranks + around;
        m_origin = area.topLeft() + QPointF(left, std::max(0.0, (area.height() - whole) / 2.0) + m_row);
        m_area = area;
    }

    void paint(QPainter& painter) const
    {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(m_style.font);
        paintHeads(painter);
        for (int rank = 0; rank < m_ranks; ++rank) {
            for (int chunk = 0; chunk < m_ranks; ++chunk) {
                paintCell(painter, rank, chunk);
            }
        }
        painter.setBrush(Qt::NoBrush);
        for (const RingFlight& flight : m_scene.picture.flights) {
            painter.setPen(QPen(m_style.theme.text, 2.0));
            painter.drawRect(cell(flight.to, flight.chunk).adjusted(1, 1, -1, -1));
        }
    }

private:
    [[nodiscard]] QRectF cell(int rank, int chunk) const
    {
        const auto snap = [this](double value) { return std::round(value / m_style.dot) * m_style.dot; };
        const double left = snap(m_origin.x() + chunk * m_cell.width());
        const double top = snap(m_origin.y() + rank * m_cell.height());
        const double right = snap(m_origin.x() + (chunk + 1) * m_cell.width());
        const double bottom = snap(m_origin.y() + (rank + 1) * m_cell.height());
        const double gap = m_cell.width() > 12.0 && m_cell.height() > 12.0 ? 1.0 : 0.0;
        return QRectF(left, top, right - left - gap, bottom - top - gap);
    }

    void paintHeads(QPainter& painter) const
    {
        const auto everyColumn = std::max(1,
            static_cast<int>(std::ceil(m_metrics.horizontalAdvance(QString::number(m_ranks)) * 1.4 / m_cell.width())));
        const auto everyRow = std::max(1, static_cast<int>(std::ceil((m_metrics.capHeight() + 2.0) / m_cell.height())));
        painter.setPen(m_style.theme.dimText);
        painter.drawText(QRectF(m_area.left(), m_origin.y() - m_row, m_origin.x() - m_area.left() - 8.0, m_row),
            Qt::AlignRight | Qt::AlignVCenter, RingTexts::chunk());
        const double right = m_origin.x() + m_ranks * m_cell.width();
        painter.drawText(QRectF(right, m_origin.y() - m_row, m_right, m_row), Qt::AlignRight | Qt::AlignVCenter,
            RingTexts::sent(m_exchanges));
        const QRectF under(
            m_area.left(), m_origin.y() + m_ranks * m_cell.height() + 3.0, m_area.width(), m_legendRows * m_row);
        painter.drawText(under, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, RingTexts::legend());
        painter.setPen(m_style.theme.text);
        for (int i = 0; i < m_ranks; ++i) {
            if (i % everyColumn == 0) {
                const QRectF head = cell(0, i);
                painter.drawText(QRectF(head.center().x() - 40, m_origin.y() - m_row, 80, m_row), Qt::AlignCenter,
                    QString::number(i));
            }
            if (i % everyRow == 0) {
                const bool isWaitedFor = isIn(m_scene.waitedFor, i);
                painter.setPen(isWaitedFor ? m_style.warning : m_style.theme.text);
                const QRectF row = cell(i, 0);
                const double top = row.center().y() - m_row / 2.0;
                painter.drawText(QRectF(m_area.left(), top, m_origin.x() - m_area.left() - 8.0, m_row),
                    Qt::AlignRight | Qt::AlignVCenter, RingTexts::rank(i));
                painter.drawText(QRectF(right, top, m_right, m_row), Qt::AlignRight | Qt::AlignVCenter,
                    QString::number(m_scene.picture.done[static_cast<std::size_t>(i)]));
                painter.setPen(m_style.theme.text);
            }
        }
    }

    void paintCell(QPainter& painter, int rank, int chunk) const
    {
        const int sum = m_scene.picture.at(rank, chunk);
        const bool isWhole = sum == m_ranks;
        // Shares stay well below the full colour, so that complete is seen at a glance.
        const double share = isWhole ? 1.0 : 0.08 + 0.42 * (sum - 1) / std::max(1, m_ranks - 1);
        const QRectF rect = cell(rank, chunk);
        painter.fillRect(rect, inkOnGround(m_style.theme.background, phaseColor(Phase::Communicate), share));
        if (m_cell.height() >= m_metrics.capHeight() + 2.0
            && m_cell.width() >= m_metrics.horizontalAdvance(QString::number(m_ranks)) + 3.0) {
            painter.setFont(isWhole ? bold(m_style.font) : m_style.font);
            painter.setPen(isWhole ? QColor(Qt::white) : m_style.theme.text);
            // The cell may be lower than a row of text, which has room for accents that figures do not need.
            painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, QString::number(sum));
            painter.setFont(m_style.font);
        }
    }

    const RingScene& m_scene;
    const RingStyle& m_style;
    QFontMetricsF m_metrics;
    int m_ranks;
    int m_exchanges;
    double m_row = 0.0;
    double m_right = 0.0;
    double m_legendRows = 1.0;
    QSizeF m_cell;
    QPointF m_origin;
    QRectF m_area;
};

} // namespace

void paintRing(QPainter& painter, const QRectF& area, const RingScene& scene, const RingStyle& style)
{
    painter.save();
    painter.setFont(style.font);
    painter.fillRect(area, style.theme.background);
    const double row = QFontMetricsF(style.font).height() + 4.0;
    const QRectF inner = area.adjusted(RingMargin, 4.0, -RingMargin, -4.0);
    const QRectF words(inner.left(), inner.bottom() - 3.0 * row, inner.width(), 3.0 * row);
    const QRectF pictures = inner.adjusted(0.0, 0.0, 0.0, -3.0 * row - 4.0);
    const double half = pictures.width() * CircleShare;
    paintCircle(painter, QRectF(pictures.left(), pictures.top() + 4.0, half, pictures.height() - 8.0), scene, style);
    Table(pictures.adjusted(half + 2.0 * RingMargin, 0.0, 0.0, 0.0), scene, style).paint(painter);
    painter.setFont(bold(style.font));
    painter.setPen(style.theme.text);
    painter.drawText(QRectF(words.left(), words.top(), words.width(), row), Qt::AlignCenter, scene.phase);
    painter.setFont(style.font);
    painter.setPen(style.theme.dimText);
    painter.drawText(QRectF(words.left(), words.top() + row, words.width(), row), Qt::AlignCenter, scene.detail);
    painter.setPen(scene.waitedFor.empty() ? style.theme.dimText : style.warning);
    painter.drawText(QRectF(words.left(), words.top() + 2.0 * row, words.width(), row), Qt::AlignCenter, scene.message);
    painter.restore();
}

} // namespace lockstep::ui
