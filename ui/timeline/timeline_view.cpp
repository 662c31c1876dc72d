// What the timeline shows and how it is drawn; mouse and keys are in timeline_view_input.cpp.
#include "ui/timeline/timeline_view.h"

#include "ui/models/numbers.h"
#include "ui/models/run_feed.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_scene.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int FollowedSteps = 8;
constexpr std::int64_t ShortestNs = 1'000;

const TimelineModel& emptyModel()
{
    static const TimelineModel empty;
    return empty;
}

} // namespace

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
    setAccessibleDescription(tr(
        "What each rank did and when. The wheel or + and − zoom, dragging or the arrow keys move, Home goes to the "
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
        connect(feed, &RunFeed::recordChanged, this, &TimelineView::invalidate);
    }
    m_window = {};
    setFollowing(true);
    followNewest();
    invalidate();
    showMicroBatches();
}

void TimelineView::setColours(TimelineColours colours)
{
    m_colours = colours;
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
        m_window = {};
        followNewest();
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
        followNewest();
    }
    invalidate();
    showMicroBatches();
}

/// The scale stays as it is until steps have become twice as long or half as long: a picture that breathes with every
/// step cannot be read.
void TimelineView::followNewest()
{
    if (model().isEmpty()) {
        return;
    }
    const TimelineWindow newest = model().newest(FollowedSteps);
    const std::int64_t wanted = std::max(newest.length(), ShortestNs);
    std::int64_t length = m_window.length();
    if (length > 2 * wanted || 2 * length < wanted) {
        length = wanted;
    }
    m_window = {newest.toNs - length, newest.toNs};
}

void TimelineView::showWhole()
{
    setShownWindow(model().whole());
}

void TimelineView::setShownWindow(const TimelineWindow& window)
{
    if (model().isEmpty()) {
        return;
    }
    // A little beyond both ends, so that they are seen as ends.
    const TimelineWindow whole{model().originNs(), model().endNs()};
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

const TimelineModel& TimelineView::model() const
{
    return m_feed == nullptr ? emptyModel() : m_feed->timeline();
}

TimelineStyle TimelineView::style() const
{
    QFont font = this->font();
    font.setKerning(false); // figures stay under each other
    return {m_theme, font, 1.0, 1.0 / devicePixelRatioF()};
}

const TimelineScene& TimelineView::scene() const
{
    if (!m_scene && m_feed == nullptr) {
        m_scene.emplace();
        m_scene->window = m_window;
    } else if (!m_scene) {
        m_scene = timelineScene(*m_feed, m_window, m_colours);
    }
    return *m_scene;
}

TimelineLayout TimelineView::layoutNow() const
{
    return {QRectF(rect()), model(), scene(), style()};
}

QString TimelineView::emptyText() const
{
    using analysis::RunStatus;
    if (m_feed == nullptr) {
        return tr("Press Run to see what each rank does and when.");
    }
    const RunStatus status = m_feed->record().status;
    if (status == RunStatus::Queued) {
        return tr("%1 has not started yet.").arg(m_feed->displayName());
    }
    const bool isOver = status == RunStatus::Finished || status == RunStatus::Failed || status == RunStatus::Stopped
        || status == RunStatus::Interrupted;
    return isOver ? tr("%1 has no spans.").arg(m_feed->displayName())
                  : tr("Waiting for the first spans of %1…").arg(m_feed->displayName());
}

QSize TimelineView::minimumSizeHint() const
{
    return {300, 8 * fontMetrics().height()};
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (model().isEmpty()) {
        painter.fillRect(rect(), m_theme.background);
        painter.setPen(m_theme.dimText);
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    if (m_isStale) {
        const QSize dots = size() * devicePixelRatioF();
        if (m_picture.size() != dots) {
            m_picture = QPixmap(dots);
        }
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        QPainter inside(&m_picture);
        paintTimeline(inside, QRectF(rect()), model(), scene(), style());
        m_isStale = false;
    }
    painter.drawPixmap(0, 0, m_picture);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.0));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    paintReadOut(painter);
}

QStringList TimelineView::readOut(const QPointF& place) const
{
    if (model().isEmpty()) {
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
    const auto span = model().longestIn(number, dot);
    if (!span) {
        return {};
    }
    const double start = static_cast<double>(span->startNs - model().originNs()) / 1e9;
    const QString what = tr("rank %1 · %2").arg(model().ranks()[number]).arg(phaseText(span->phase));
    QStringList lines{
        span->microBatch < 0 ? what : tr("%1 · micro-batch %2").arg(what).arg(span->microBatch + 1),
        tr("step %1").arg(countText(span->step)), tr("starts at %1 s").arg(QString::number(start, 'f', 6)),
        tr("takes %1").arg(nanosecondsText(span->durationNs))};
    if (const std::size_t others = model().countIn(number, dot) - 1; others > 0) {
        lines << tr("%n shorter one(s) in this pixel", nullptr, static_cast<int>(others));
    }
    if (const QString bubble = stepBubbleText(scene().steps, span->step, analysis::ranksOf(m_feed->record()));
        !bubble.isEmpty()) {
        lines << bubble;
    }
    return lines;
}

void TimelineView::paintReadOut(QPainter& painter) const
{
    if (!m_mouse || m_dragFrom) {
        return;
    }
    const QStringList lines = readOut(*m_mouse);
    if (lines.isEmpty()) {
        return;
    }
    const TimelineLayout layout = layoutNow();
    painter.setPen(QPen(m_theme.dimText, 1.0));
    painter.drawLine(QPointF(m_mouse->x(), layout.plot().top()), QPointF(m_mouse->x(), layout.plot().bottom()));
    int wide = 0;
    for (const QString& line : lines) {
        wide = std::max(wide, fontMetrics().horizontalAdvance(line));
    }
    const int high = fontMetrics().height();
    QRectF box(0, 0, wide + 16, static_cast<double>(high * lines.size()) + 12);
    box.moveTopLeft(*m_mouse + QPointF(14, 14));
    if (box.right() > width() - 4) {
        box.moveRight(m_mouse->x() - 14);
    }
    box.moveBottom(std::min(box.bottom(), height() - 4.0));
    box.moveTop(std::max(box.top(), 4.0));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.grid);
    painter.setBrush(m_theme.background);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(m_theme.text);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        painter.drawText(QRectF(box.left() + 8, box.top() + 6 + static_cast<double>(i * high), wide + 4, high),
            Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
    }
}

} // namespace lockstep::ui
