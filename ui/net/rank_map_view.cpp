#include "ui/net/rank_map_view.h"

#include "ui/theme/ink.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int MostVisibleRows = 4; ///< that the view requests room for
constexpr double RowHeight = 24.0;
constexpr double WidestRank = 44.0;
constexpr double HighestRank = 34.0;
constexpr double Edge = 3.0; ///< room for what is drawn around a rank
constexpr double Shape = 1.4; ///< of a rank: as wide as its number needs
constexpr double Faded = 0.22;
constexpr double SmallFont = 0.8;

QColor onGround(const QColor& color, const QColor& ground, double share)
{
    const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1.0 - share))); };
    return {part(color.red(), ground.red()), part(color.green(), ground.green()), part(color.blue(), ground.blue())};
}

/// Shrinks as there are more of them.
double gapOf(int count, double widest)
{
    return count <= 8 ? widest : count <= 16 ? std::min(widest, 3.0) : 1.0;
}

} // namespace

RankMapView::RankMapView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RankMapView::setMap(const RankMap& map)
{
    if (map == m_map) {
        return;
    }
    m_map = map;
    m_chosen = std::min(m_chosen, map.shape.ranks() - 1);
    m_hovered = -1;
    updateGeometry();
    announceCurrent();
}

void RankMapView::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    update();
}

int RankMapView::current() const
{
    if (!m_map.canBeDrawn()) {
        return -1;
    }
    return m_hovered >= 0 ? m_hovered : hasFocus() ? m_chosen : -1;
}

double RankMapView::captionHeight() const
{
    return m_map.shape.pipeline > 1 ? fontMetrics().height() + 2.0 : 0.0;
}

RankMapView::Layout RankMapView::layoutOf(int rows) const
{
    const plan::GridShape& shape = m_map.shape;
    const int blocks = (shape.data + rows - 1) / rows;
    // Clearly wider than what is between the stages of a block.
    const double blockGap = shape.pipeline * shape.tensor > 1 ? 18.0 : 8.0;
    const double perBlock = (width() - 2.0 * Edge + blockGap) / blocks;
    Layout at;
    at.rows = rows;
    at.top = captionHeight();
    at.rowGap = gapOf(rows, 3.0);
    at.height = std::clamp((height() - 2.0 * Edge - at.top + at.rowGap) / rows - at.rowGap, 1.0, HighestRank);
    // Rows that are too low for their names have none.
    if (shape.data > 1 && at.height + at.rowGap >= fontMetrics().height()) {
        const QString name = blocks == 1 ? tr("Copy %1").arg(shape.data - 1) : QString::number(shape.data - 1);
        at.label = fontMetrics().horizontalAdvance(name) + 6.0;
    }
    const double stageGap = gapOf(shape.pipeline, blocks == 1 && shape.tensor > 1 ? 10.0 : 4.0);
    at.partGap = gapOf(shape.tensor, 2.0);
    const double forCells = perBlock - blockGap - at.label;
    const double cell = (forCells + stageGap) / shape.pipeline - stageGap;
    at.width = std::clamp((cell + at.partGap) / shape.tensor - at.partGap, 1.0, WidestRank);
    at.stage = shape.tensor * (at.width + at.partGap) - at.partGap + stageGap;
    at.block = at.label + shape.pipeline * at.stage - stageGap + blockGap;
    return at;
}

/// As few blocks as possible without making ranks smaller than necessary.
RankMapView::Layout RankMapView::bestLayout() const
{
    const auto worth = [](const Layout& at) { return std::min(at.width / Shape, at.height); };
    Layout best = layoutOf(m_map.shape.data);
    for (int rows = m_map.shape.data - 1; rows > 0; --rows) {
        if (const Layout at = layoutOf(rows); worth(at) > 1.05 * worth(best)) {
            best = at;
        }
    }
    return best;
}

QRectF RankMapView::rectOf(const plan::GridPlace& place, const Layout& at) const
{
    const int block = place.data / at.rows;
    const int row = place.data % at.rows;
    const double left
        = Edge + block * at.block + at.label + place.stage * at.stage + place.part * (at.width + at.partGap);
    const double top = Edge + at.top + row * (at.height + at.rowGap);
    return {left, top, at.width, at.height};
}

QRectF RankMapView::rankRect(int rank) const
{
    return rectOf(plan::placeOf(rank, m_map.shape), bestLayout());
}

int RankMapView::rankAt(const QPointF& position) const
{
    if (!m_map.canBeDrawn()) {
        return -1;
    }
    const Layout at = bestLayout();
    for (int rank = 0; rank < m_map.shape.ranks(); ++rank) {
        // With the gap behind it, so that the pointer does not fall between neighbours.
        if (rectOf(plan::placeOf(rank, m_map.shape), at).adjusted(0, 0, at.partGap, at.rowGap).contains(position)) {
            return rank;
        }
    }
    return -1;
}

void RankMapView::paintNames(QPainter& painter, const Layout& at) const
{
    const plan::GridShape& shape = m_map.shape;
    const QFontMetricsF metrics(font());
    const bool isOneBlock = at.rows == shape.data;
    painter.setPen(m_theme.dimText);
    for (int copy = 0; at.label > 0.0 && copy < shape.data; ++copy) {
        const QRectF first = rectOf({copy, 0, 0}, at);
        painter.drawText(QRectF(first.left() - at.label, first.top(), at.label - 6.0, first.height()),
            (isOneBlock ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter | Qt::TextDontClip,
            isOneBlock ? tr("Copy %1").arg(copy) : QString::number(copy));
    }
    if (shape.pipeline == 1) {
        return;
    }
    const double room = rectOf({0, 0, shape.tensor - 1}, at).right() - rectOf({0, 0, 0}, at).left() + 2.0;
    const QString longest = QString::number(shape.pipeline - 1);
    const bool isWhole = metrics.horizontalAdvance(tr("Stage %1").arg(longest)) <= room;
    // Of many stages every second, fifth, ... is named.
    int step = 1;
    for (const int each : {1, 2, 5, 10, 20}) {
        step = each;
        if (isWhole || metrics.horizontalAdvance(longest) + 4.0 <= at.stage * each) {
            break;
        }
    }
    for (int copy = 0; copy < shape.data; copy += at.rows) {
        for (int stage = 0; stage < shape.pipeline; stage += step) {
            const double middle
                = (rectOf({copy, stage, 0}, at).left() + rectOf({copy, stage, shape.tensor - 1}, at).right()) / 2.0;
            painter.drawText(QRectF(middle - 60.0, Edge - 2.0, 120.0, at.top),
                Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextDontClip,
                isWhole ? tr("Stage %1").arg(stage) : QString::number(stage));
        }
    }
}

void RankMapView::paintRank(QPainter& painter, int rank, const QRectF& rect, bool isFaded) const
{
    const QColor own = rankColor(plan::placeOf(rank, m_map.shape).stage);
    const QColor fill = isFaded ? onGround(own, m_theme.background, Faded) : own;
    const double radius = std::min({3.0, rect.width() / 4.0, rect.height() / 4.0});
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, radius, radius);
    const QString widest = QString::number(m_map.shape.ranks() - 1);
    QFont face = font();
    for (const double scale : {1.0, SmallFont}) {
        if (font().pixelSize() > 0) { // on paper
            face.setPixelSize(std::max(1, static_cast<int>(std::lround(font().pixelSize() * scale))));
        } else {
            face.setPointSizeF(font().pointSizeF() * scale);
        }
        const QFontMetricsF metrics(face);
        if (metrics.horizontalAdvance(widest) + 1.0 <= rect.width() && metrics.capHeight() + 2.0 <= rect.height()) {
            painter.setFont(face);
            painter.setPen(isFaded ? m_theme.dimText : inkOn(fill));
            painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, QString::number(rank));
            painter.setFont(font());
            return;
        }
    }
}

void RankMapView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_map.canBeDrawn()) {
        painter.setPen(m_theme.dimText);
        painter.drawText(QRectF(rect()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap | Qt::TextDontClip,
            tr("More ranks than a run can have."));
        return;
    }
    const Layout at = bestLayout();
    paintNames(painter, at);
    const int now = current();
    const RankGroups groups = now >= 0 ? groupsOf(now, m_map) : RankGroups{};
    const auto isIn = [](const std::vector<int>& ranks, int rank) {
        return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    };
    for (int rank = 0; rank < m_map.shape.ranks(); ++rank) {
        const bool isClear = now < 0 || rank == now || isIn(groups.copies, rank) || isIn(groups.stages, rank)
            || isIn(groups.parts, rank);
        paintRank(painter, rank, rectOf(plan::placeOf(rank, m_map.shape), at), !isClear);
    }
    if (now >= 0) {
        const QRectF rect = rectOf(plan::placeOf(now, m_map.shape), at);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(hasFocus() ? palette().color(QPalette::Highlight) : m_theme.text, 2.0));
        painter.drawRoundedRect(rect.adjusted(-2.0, -2.0, 2.0, 2.0), 4, 4);
        painter.setPen(QPen(m_theme.background, 1.0));
        painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    }
}

void RankMapView::showCurrent(int before)
{
    if (current() != before) {
        announceCurrent();
    }
}

void RankMapView::announceCurrent()
{
    describeCurrent();
    update();
    Q_EMIT currentChanged(current());
}

void RankMapView::describeCurrent()
{
    const int now = current();
    setAccessibleDescription(now < 0 ? rankCountText(m_map.shape.ranks()) : rankInWords(now, m_map).join(u' '));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void RankMapView::mouseMoveEvent(QMouseEvent* event)
{
    const int before = current();
    m_hovered = rankAt(event->position());
    showCurrent(before);
}

void RankMapView::mousePressEvent(QMouseEvent* event)
{
    const int before = current();
    if (const int rank = rankAt(event->position()); rank >= 0) {
        m_chosen = rank;
    }
    showCurrent(before);
}

void RankMapView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    const int before = current();
    m_hovered = -1;
    showCurrent(before);
}

/// Up and down over copies, left and right over the parts of a stage and on to the next.
void RankMapView::keyPressEvent(QKeyEvent* event)
{
    const plan::GridShape& shape = m_map.shape;
    plan::GridPlace place = plan::placeOf(m_chosen, shape);
    const int last = shape.pipeline * shape.tensor - 1;
    int column = place.stage * shape.tensor + place.part;
    switch (event->key()) {
    case Qt::Key_Up:
        place.data = std::max(0, place.data - 1);
        break;
    case Qt::Key_Down:
        place.data = std::min(shape.data - 1, place.data + 1);
        break;
    case Qt::Key_Left:
        column = std::max(0, column - 1);
        break;
    case Qt::Key_Right:
        column = std::min(last, column + 1);
        break;
    case Qt::Key_Home:
        column = 0;
        break;
    case Qt::Key_End:
        column = last;
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    const int before = current();
    m_hovered = -1; // the keys take precedence
    m_chosen = plan::rankAt({place.data, column / shape.tensor, column % shape.tensor}, shape);
    showCurrent(before);
}

void RankMapView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    announceCurrent();
}

void RankMapView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    announceCurrent();
}

void RankMapView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        describeCurrent();
        update();
    } else if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
}

QSize RankMapView::sizeHint() const
{
    return {320, minimumSizeHint().height()};
}

QSize RankMapView::minimumSizeHint() const
{
    const int rows = std::min(m_map.shape.data, MostVisibleRows);
    return {220, static_cast<int>(std::ceil(2.0 * Edge + captionHeight() + rows * RowHeight))};
}

} // namespace lockstep::ui
