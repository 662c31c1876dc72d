// Mouse and keys of the timeline.
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double WheelFactor = 1.25; ///< a notch of the wheel
constexpr double WheelNotch = 120.0;
constexpr double MostAtOnce = 100.0; ///< a wheel that runs free turns far in one event
constexpr double KeyFactor = 1.5;
constexpr double TimelineKeyPan = 0.15; ///< of what is shown

} // namespace

/// What is at `atNs` stays where it is.
void TimelineView::zoom(double factor, std::int64_t atNs)
{
    const double bounded = std::clamp(factor, 1.0 / MostAtOnce, MostAtOnce);
    const double left = static_cast<double>(atNs - m_window.fromNs) / bounded;
    const double length = static_cast<double>(m_window.length()) / bounded;
    const std::int64_t from = atNs - std::llround(left);
    setShownWindow({from, from + std::llround(length)});
}

void TimelineView::pan(double share)
{
    const auto by = std::llround(static_cast<double>(m_window.length()) * share);
    setShownWindow({m_window.fromNs + by, m_window.toNs + by});
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    if (std::abs(turn.x()) > std::abs(turn.y())) {
        pan(-turn.x() / WheelNotch * TimelineKeyPan);
    } else {
        zoom(std::pow(WheelFactor, turn.y() / WheelNotch), layoutNow().nsAt(event->position().x()));
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
        const auto by = std::llround(static_cast<double>(m_dragWindow.length()) * share);
        setShownWindow({m_dragWindow.fromNs + by, m_dragWindow.toNs + by});
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
        zoom(KeyFactor, middle);
        return;
    case Qt::Key_Minus:
        zoom(1.0 / KeyFactor, middle);
        return;
    case Qt::Key_Left:
        pan(-TimelineKeyPan);
        return;
    case Qt::Key_Right:
        pan(TimelineKeyPan);
        return;
    case Qt::Key_Home: {
        const std::int64_t begin = model().whole().fromNs;
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
