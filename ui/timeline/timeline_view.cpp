#include "ui/timeline/timeline_view.h"

#include "ui/models/feeds/run_feed.h"
#include "ui/models/number_text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_scene.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int FollowedSteps = 8;
constexpr std::int64_t ShortestNs = 1'000;
constexpr double WheelFactor = 1.25; ///< a notch of the wheel
constexpr double WheelNotch = 120.0;
constexpr double MostAtOnce = 100.0; ///< a free-spinning wheel turns far in one event
constexpr double KeyFactor = 1.5;
constexpr double TimelineKeyPan = 0.15; ///< of what is shown

const TimelineModel& modelOf(const RunFeed* feed)
{
    static const TimelineModel empty;
    return feed == nullptr ? empty : feed->timeline();
}

/// `atNs` keeps its place.
TimelineWindow zoomed(const TimelineWindow& window, double factor, std::int64_t atNs)
{
    const double bounded = std::clamp(factor, 1.0 / MostAtOnce, MostAtOnce);
    const double left = static_cast<double>(atNs - window.fromNs) / bounded;
    const double length = static_cast<double>(window.length()) / bounded;
    const std::int64_t from = atNs - std::llround(left);
    return {from, from + std::llround(length)};
}

TimelineWindow panned(const TimelineWindow& window, double share)
{
    const auto by = std::llround(static_cast<double>(window.length()) * share);
    return {window.fromNs + by, window.toNs + by};
}

/// The newest steps, on the scale of `shown` until steps become twice or half as long: a picture that rescales with
/// every step cannot be read.
TimelineWindow following(const TimelineModel& model, const TimelineWindow& shown)
{
    if (model.isEmpty()) {
        return shown;
    }
    const TimelineWindow newest = model.newest(FollowedSteps);
    const std::int64_t wanted = std::max(newest.length(), ShortestNs);
    const std::int64_t length = shown.length();
    const bool fits = length <= 2 * wanted && 2 * length >= wanted;
    return {newest.toNs - (fits ? length : wanted), newest.toNs};
}

/// What following the run shows: of one that has ended its last step, as large as the view.
TimelineWindow newestOf(const RunFeed* feed, const TimelineWindow& shown)
{
    const bool hasEnded = feed != nullptr && analysis::isFinal(feed->record().status) && !feed->timeline().isEmpty();
    return hasEnded ? feed->timeline().newest(1) : following(modelOf(feed), shown);
}

TimelineStyle styleOf(const QWidget& view, const ChartTheme& theme)
{
    QFont font = view.font();
    font.setKerning(false); // digits stay aligned
    return {theme, font, 1.0, 1.0 / view.devicePixelRatioF()};
}

/// Beside the mouse, inside of `bounds`.
void paintReadOut(
    QPainter& painter, const ChartTheme& theme, const QStringList& lines, const QPointF& mouse, const QRectF& bounds)
{
    const QFontMetrics metrics = painter.fontMetrics();
    int wide = 0;
    for (const QString& line : lines) {
        wide = std::max(wide, metrics.horizontalAdvance(line));
    }
    const int high = metrics.height();
    QRectF box(0, 0, wide + 16, static_cast<double>(high * lines.size()) + 12);
    box.moveTopLeft(mouse + QPointF(14, 14));
    if (box.right() > bounds.right() - 4) {
        box.moveRight(mouse.x() - 14);
    }
    box.moveBottom(std::min(box.bottom(), bounds.bottom() - 4));
    box.moveTop(std::max(box.top(), bounds.top() + 4));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.grid);
    painter.setBrush(theme.background);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(theme.text);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        painter.drawText(QRectF(box.left() + 8, box.top() + 6 + static_cast<double>(i * high), wide + 4, high),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, lines[i]);
    }
}

} // namespace

QString timelineEmptyText(const RunFeed* feed)
{
    if (feed == nullptr) {
        return TimelineView::tr("Press Run to see what each rank does and when.");
    }
    const analysis::RunStatus status = feed->record().status;
    const QString text = status == analysis::RunStatus::Queued ? TimelineView::tr("%1 has not started yet.")
        : analysis::isFinal(status)                            ? TimelineView::tr("%1 has no spans.")
                                    : TimelineView::tr("Waiting for the first spans of %1…");
    return text.arg(feed->displayName());
}

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setTexts();
}

void TimelineView::setTexts()
{
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("What each rank did and when. The wheel or + and − zoom, dragging or the arrow keys move, Home goes to the "
           "beginning, End or a double-click to the newest steps."));
}

void TimelineView::setFeed(RunFeed* feed)
{
    if (m_feed != nullptr) {
        m_feed->disconnect(this);
    }
    m_feed = feed;
    if (feed != nullptr) {
        connect(feed, &RunFeed::advanced, this, &TimelineView::advance);
        connect(feed, &RunFeed::recordChanged, this, &TimelineView::advance);
    }
    setFollowing(true);
    showMicroBatches();
}

void TimelineView::setColours(TimelineColours colours)
{
    m_colours = colours;
    invalidate();
}

void TimelineView::setPathShown(bool isShown)
{
    m_showsPath = isShown;
    invalidate();
}

void TimelineView::showMicroBatches()
{
    const bool hasMicroBatches = m_feed != nullptr && hasPipelineSteps(*m_feed);
    if (m_hasMicroBatches != hasMicroBatches) {
        m_hasMicroBatches = hasMicroBatches;
        Q_EMIT microBatchesChanged(hasMicroBatches);
    }
}

void TimelineView::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    invalidate();
}

void TimelineView::setFollowing(bool on)
{
    if (on) {
        m_window = newestOf(m_feed, {});
        invalidate();
    }
    if (m_isFollowing != on) {
        m_isFollowing = on;
        Q_EMIT followingChanged(on);
    }
}

void TimelineView::advance()
{
    if (m_isFollowing) {
        m_window = newestOf(m_feed, m_window);
    }
    invalidate();
    showMicroBatches();
}

void TimelineView::showWhole()
{
    setShownWindow(modelOf(m_feed).whole());
}

void TimelineView::setShownWindow(const TimelineWindow& window)
{
    if (modelOf(m_feed).isEmpty()) {
        return;
    }
    // A little beyond both ends, so that they are recognisable as ends.
    const TimelineWindow whole{modelOf(m_feed).originNs(), modelOf(m_feed).endNs()};
    const std::int64_t longest = std::max(whole.length() + whole.length() / 10, ShortestNs);
    const std::int64_t length = std::clamp(window.length(), ShortestNs, longest);
    const std::int64_t middle = std::clamp(window.fromNs + window.length() / 2, whole.fromNs, whole.toNs);
    m_window = {middle - length / 2, middle - length / 2 + length};
    if (m_isFollowing) {
        m_isFollowing = false;
        Q_EMIT followingChanged(false);
    }
    invalidate();
}

void TimelineView::invalidate()
{
    m_isStale = true;
    m_scene.reset();
    update();
}

const TimelineScene& TimelineView::scene() const
{
    if (!m_scene && m_feed == nullptr) {
        m_scene.emplace();
        m_scene->window = m_window;
    } else if (!m_scene) {
        m_scene = timelineScene(*m_feed, m_window, m_colours, m_showsPath ? ShowsPath::Yes : ShowsPath::No);
    }
    return *m_scene;
}

TimelineLayout TimelineView::layoutNow() const
{
    return {QRectF(rect()), modelOf(m_feed), scene(), styleOf(*this, m_theme)};
}

QSize TimelineView::minimumSizeHint() const
{
    return {300, 8 * fontMetrics().height()};
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (modelOf(m_feed).isEmpty()) {
        painter.fillRect(rect(), m_theme.background);
        painter.setPen(m_theme.dimText);
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap | Qt::TextDontClip,
            timelineEmptyText(m_feed));
        return;
    }
    if (m_isStale) {
        const QSize dots = size() * devicePixelRatioF();
        if (m_picture.size() != dots) {
            m_picture = QPixmap(dots);
        }
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        QPainter inside(&m_picture);
        paintTimeline(inside, QRectF(rect()), modelOf(m_feed), scene(), styleOf(*this, m_theme));
        m_isStale = false;
    }
    painter.drawPixmap(0, 0, m_picture);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    const QStringList lines = m_mouse && !m_dragFrom ? readOut(*m_mouse) : QStringList();
    if (!lines.isEmpty()) {
        const QRectF plot = layoutNow().plot();
        painter.setPen(QPen(m_theme.dimText, 1.0));
        painter.drawLine(QPointF(m_mouse->x(), plot.top()), QPointF(m_mouse->x(), plot.bottom()));
        paintReadOut(painter, m_theme, lines, *m_mouse, QRectF(rect()));
    }
}

QStringList TimelineView::readOut(const QPointF& place) const
{
    if (modelOf(m_feed).isEmpty()) {
        return {};
    }
    const TimelineLayout layout = layoutNow();
    const int lane = layout.laneAt(place.y());
    if (lane < 0 || place.x() < layout.plot().left() || place.x() >= layout.plot().right()) {
        return {};
    }
    const auto number = static_cast<std::size_t>(lane);
    const std::int64_t ns = layout.nsAt(place.x());
    const TimelineWindow dot{ns, ns + layout.nsPerDot()};
    const auto span = modelOf(m_feed).longestIn(number, dot);
    if (!span) {
        return {};
    }
    const double start = static_cast<double>(span->startNs - modelOf(m_feed).originNs()) / 1e9;
    const QString what = tr("rank %1 · %2").arg(modelOf(m_feed).ranks()[number]).arg(phaseText(span->phase));
    QStringList lines{span->microBatch < 0 ? what : tr("%1 · micro-batch %2").arg(what).arg(span->microBatch + 1),
        tr("step %1").arg(countText(span->step)), tr("starts at %1 s").arg(QString::number(start, 'f', 6)),
        tr("takes %1").arg(nanosecondsText(span->durationNs))};
    if (const std::size_t others = modelOf(m_feed).countIn(number, dot) - 1; others > 0) {
        lines << tr("%n shorter one(s) in this pixel", nullptr, static_cast<int>(others));
    }
    if (const QString bubble = stepBubbleText(scene().steps, span->step, analysis::ranksOf(m_feed->record()));
        !bubble.isEmpty()) {
        lines << bubble;
    }
    return lines;
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    if (std::abs(turn.x()) > std::abs(turn.y())) {
        setShownWindow(panned(m_window, -turn.x() / WheelNotch * TimelineKeyPan));
    } else {
        setShownWindow(
            zoomed(m_window, std::pow(WheelFactor, turn.y() / WheelNotch), layoutNow().nsAt(event->position().x())));
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_dragFrom = event->position();
        m_dragWindow = m_window;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    m_mouse = event->position();
    if (m_dragFrom && event->position() != *m_dragFrom) {
        setCursor(Qt::ClosedHandCursor);
        const double share = (m_dragFrom->x() - event->position().x()) / layoutNow().plot().width();
        setShownWindow(panned(m_dragWindow, share));
    }
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent*)
{
    m_dragFrom.reset();
    unsetCursor();
    update();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent*)
{
    setFollowing(true);
}

void TimelineView::leaveEvent(QEvent*)
{
    m_mouse.reset();
    update();
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const std::int64_t middle = m_window.fromNs + m_window.length() / 2;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setShownWindow(zoomed(m_window, KeyFactor, middle));
        return;
    case Qt::Key_Minus:
        setShownWindow(zoomed(m_window, 1.0 / KeyFactor, middle));
        return;
    case Qt::Key_Left:
        setShownWindow(panned(m_window, -TimelineKeyPan));
        return;
    case Qt::Key_Right:
        setShownWindow(panned(m_window, TimelineKeyPan));
        return;
    case Qt::Key_Home: {
        const std::int64_t begin = modelOf(m_feed).whole().fromNs;
        setShownWindow({begin, begin + m_window.length()});
        return;
    }
    case Qt::Key_End:
        setFollowing(true);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    invalidate();
}

void TimelineView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
        setTexts();
        invalidate();
    }
}

} // namespace lockstep::ui
