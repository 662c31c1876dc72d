#include "ui/ring/ring_drawing.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

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
    static QString moves() { return tr("moves"); }
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

/// The way of a message: along the circle to the next rank of a ring, else straight.
class Way {
public:
    Way(const Circle& circle, int from, int to, bool isRing)
        : m_circle(circle)
        , m_from(from)
        , m_isRing(isRing)
    {
        const QPointF way = circle.place(to) - circle.place(from);
        m_unit = way / std::max(1e-6, std::hypot(way.x(), way.y()));
        // To the right of the straight line, so that two ways in opposite directions stay apart.
        const QPointF aside = QPointF(-m_unit.y(), m_unit.x()) * 4.0;
        m_begin = circle.place(from) + m_unit * circle.node() * 1.15 + aside;
        m_end = circle.place(to) - m_unit * circle.node() * 1.15 + aside;
    }

    [[nodiscard]] QPointF at(double share, double inwards = 0.0) const
    {
        return m_isRing ? m_circle.place(m_circle.along(m_from, share), inwards)
                        : m_begin + (m_end - m_begin) * share + QPointF(-m_unit.y(), m_unit.x()) * inwards;
    }
    [[nodiscard]] QPainterPath path(double end) const
    {
        if (m_isRing) {
            return m_circle.arc(m_circle.along(m_from, 0.0), m_circle.along(m_from, end));
        }
        QPainterPath path(m_begin);
        path.lineTo(at(end));
        return path;
    }

private:
    const Circle& m_circle;
    int m_from;
    bool m_isRing;
    QPointF m_unit;
    QPointF m_begin;
    QPointF m_end;
};

/// Every rank sends to the next one only.
bool isRing(const plan::AllReduceMoves& moves)
{
    for (int rank = 0; rank < moves.ranks(); ++rank) {
        for (const plan::AllReduceMove& move : moves.byRank[static_cast<std::size_t>(rank)]) {
            if (move.to != (rank + 1) % moves.ranks()) {
                return false;
            }
        }
    }
    return true;
}

/// Who ever sends to whom.
std::set<std::pair<int, int>> waysOf(const plan::AllReduceMoves& moves)
{
    std::set<std::pair<int, int>> ways;
    for (int rank = 0; rank < moves.ranks(); ++rank) {
        for (const plan::AllReduceMove& move : moves.byRank[static_cast<std::size_t>(rank)]) {
            if (move.to >= 0) {
                ways.emplace(rank, move.to);
            }
        }
    }
    return ways;
}

/// Its chunks; of a message with the whole array how many ranks' values it sums.
QString cargoText(const RingPicture& picture, const RingFlight& flight)
{
    if (picture.moves->chunks == 1) {
        return QString::number(picture.at(flight.from, 0));
    }
    const QString first = QString::number(flight.chunks.begin);
    return flight.chunks.end - flight.chunks.begin == 1
        ? first
        : first + QChar(0x2013) + QString::number(flight.chunks.end - 1);
}

void paintNodes(QPainter& painter, const Circle& circle, const RingScene& scene, const RingStyle& style)
{
    const bool hasText = circle.node() >= QFontMetricsF(style.font).height() * 0.5;
    for (int rank = 0; rank < scene.picture.ranks(); ++rank) {
        const bool isWaitedFor = isIn(scene.waitedFor, rank);
        painter.setPen(QPen(isWaitedFor ? style.warning : style.theme.axis, isWaitedFor ? 3.0 : 1.2));
        painter.setBrush(style.theme.background);
        painter.drawEllipse(circle.place(rank), circle.node(), circle.node());
        if (hasText) {
            painter.setPen(isWaitedFor ? style.warning : style.theme.text);
            const QPointF centre = circle.place(rank);
            painter.drawText(QRectF(centre.x() - 30, centre.y() - 15, 60, 30), Qt::AlignCenter | Qt::TextDontClip,
                QString::number(rank));
        }
    }
}

void paintCircle(QPainter& painter, const QRectF& area, const RingScene& scene, const RingStyle& style)
{
    const RingPicture& picture = scene.picture;
    const Circle circle(area, picture.ranks());
    const bool isAround = isRing(*picture.moves);
    const QColor ink = phaseColor(Phase::Communicate);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inkOnGround(style.theme.background, style.theme.axis, 0.45), 1.0));
    for (const auto& [from, to] : waysOf(*picture.moves)) {
        const Way way(circle, from, to, isAround);
        painter.drawPath(way.path(1.0));
        paintArrowHead(painter, way.at(0.9), way.at(1.0), 6.0);
    }
    for (const RingFlight& flight : picture.flights) {
        const Way way(circle, flight.from, flight.to, isAround);
        painter.setPen(QPen(ink, 2.5, Qt::SolidLine, Qt::FlatCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(way.path(0.96));
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        paintArrowHead(painter, way.at(0.9), way.at(1.0), 10.0);
    }
    painter.setFont(style.font);
    paintNodes(painter, circle, scene, style);
    // What is in transit, inside the arrow.
    const QFontMetricsF metrics(style.font);
    const double high = metrics.capHeight() / 2.0 + 4.0;
    for (const RingFlight& flight : picture.flights) {
        if (circle.node() >= 8.0) {
            const QString text = cargoText(picture, flight);
            const double wide = std::max(high, metrics.horizontalAdvance(text) / 2.0 + 3.0);
            const QPointF place = Way(circle, flight.from, flight.to, isAround).at(flight.progress, high + 6.0);
            painter.setPen(QPen(ink, 1.5));
            painter.setBrush(style.theme.background);
            painter.drawRoundedRect(QRectF(place.x() - wide, place.y() - high, 2 * wide, 2 * high), 3, 3);
            painter.setPen(style.theme.text);
            painter.drawText(QRectF(place.x() - 30, place.y() - 15, 60, 30), Qt::AlignCenter | Qt::TextDontClip, text);
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
        , m_ranks(scene.picture.ranks())
        , m_chunks(scene.picture.moves->chunks)
    {
        m_row = m_metrics.height() + 4.0;
        const double left = m_metrics.horizontalAdvance(RingTexts::rank(std::max(10, m_ranks - 1))) + 8.0;
        m_right = std::max(m_metrics.horizontalAdvance(RingTexts::moves()),
                      m_metrics.horizontalAdvance(QStringLiteral("%1/%1").arg(scene.picture.movesOf(0))))
            + 14.0;
        m_legendRows = std::ceil(m_metrics.horizontalAdvance(RingTexts::legend()) * 1.05 / area.width());
        const double around = (1.0 + m_legendRows) * m_row;
        const double wide = std::min(LargestCell, (area.width() - left - m_right) / m_chunks);
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
            for (int chunk = 0; chunk < m_chunks; ++chunk) {
                paintCell(painter, rank, chunk);
            }
        }
        painter.setBrush(Qt::NoBrush);
        for (const RingFlight& flight : m_scene.picture.flights) {
            painter.setPen(QPen(m_style.theme.text, 2.0));
            const QRectF first = cell(flight.to, flight.chunks.begin);
            painter.drawRect(first.united(cell(flight.to, flight.chunks.end - 1)).adjusted(1, 1, -1, -1));
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
            Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, RingTexts::chunk());
        const double right = m_origin.x() + m_chunks * m_cell.width();
        painter.drawText(QRectF(right, m_origin.y() - m_row, m_right, m_row),
            Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, RingTexts::moves());
        const QRectF under(
            m_area.left(), m_origin.y() + m_ranks * m_cell.height() + 3.0, m_area.width(), m_legendRows * m_row);
        painter.drawText(
            under, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextDontClip, RingTexts::legend());
        painter.setPen(m_style.theme.text);
        for (int i = 0; i < m_chunks; i += everyColumn) {
            const QRectF head = cell(0, i);
            painter.drawText(QRectF(head.center().x() - 40, m_origin.y() - m_row, 80, m_row),
                Qt::AlignCenter | Qt::TextDontClip, QString::number(i));
        }
        for (int i = 0; i < m_ranks; i += everyRow) {
            painter.setPen(isIn(m_scene.waitedFor, i) ? m_style.warning : m_style.theme.text);
            const double top = cell(i, 0).center().y() - m_row / 2.0;
            painter.drawText(QRectF(m_area.left(), top, m_origin.x() - m_area.left() - 8.0, m_row),
                Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, RingTexts::rank(i));
            painter.drawText(QRectF(right, top, m_right, m_row), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                QStringLiteral("%1/%2")
                    .arg(m_scene.picture.done[static_cast<std::size_t>(i)])
                    .arg(m_scene.picture.movesOf(i)));
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
    int m_chunks;
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
    painter.drawText(
        QRectF(words.left(), words.top(), words.width(), row), Qt::AlignCenter | Qt::TextDontClip, scene.phase);
    painter.setFont(style.font);
    painter.setPen(style.theme.dimText);
    painter.drawText(
        QRectF(words.left(), words.top() + row, words.width(), row), Qt::AlignCenter | Qt::TextDontClip, scene.detail);
    painter.setPen(scene.waitedFor.empty() ? style.theme.dimText : style.warning);
    painter.drawText(QRectF(words.left(), words.top() + 2.0 * row, words.width(), row),
        Qt::AlignCenter | Qt::TextDontClip, scene.message);
    painter.restore();
}

} // namespace lockstep::ui
