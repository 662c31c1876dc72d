#include "ui/net/net_cut_handle.h"

#include "ui/models/shown_text.h"
#include "ui/net/net_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace lockstep::ui {

NetCutHandle::NetCutHandle(NetView& view, int part)
    : QWidget(&view)
    , m_view(view)
    , m_part(part)
{
    setObjectName(QStringLiteral("cut%1").arg(part));
}

void NetCutHandle::setMovable(bool isMovable)
{
    m_isMovable = isMovable;
    setFocusPolicy(isMovable ? Qt::StrongFocus : Qt::NoFocus);
    if (isMovable) {
        setCursor(Qt::SplitVCursor);
    } else {
        unsetCursor();
        clearFocus();
    }
    showPlace();
    update();
}

void NetCutHandle::showPlace()
{
    const NetPicture& picture = m_view.picture();
    const int first = picture.parts[static_cast<std::size_t>(m_part)].first;
    const QString above = picture.layers[static_cast<std::size_t>(first - 1)].name;
    const QString below = picture.layers[static_cast<std::size_t>(first)].name;
    setAccessibleName(tr("Cut %1 of %2").arg(m_part).arg(picture.parts.size() - 1));
    const QString place = tr("Between %1 and %2.").arg(above, below);
    setAccessibleDescription(m_isMovable ? place + u' ' + tr("Drag it, or move it with the arrow keys.") : place);
    setToolTip(tipText(accessibleDescription()));
}

void NetCutHandle::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_view.paintPart(painter, QRectF(rect()), m_part, m_isMovable);
    if (hasFocus() || (m_isMovable && (underMouse() || m_grab))) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), hasFocus() ? 2.0 : 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void NetCutHandle::mousePressEvent(QMouseEvent* event)
{
    if (m_isMovable && event->button() == Qt::LeftButton) {
        m_grab = event->position().y();
        event->accept();
        return;
    }
    QWidget::mousePressEvent(event);
}

void NetCutHandle::mouseMoveEvent(QMouseEvent* event)
{
    if (m_grab) {
        m_view.requestCut(m_part, m_view.layerAt(m_part, mapToParent(event->position()).y() - *m_grab));
    }
}

void NetCutHandle::mouseReleaseEvent(QMouseEvent*)
{
    m_grab.reset();
    update();
}

void NetCutHandle::keyPressEvent(QKeyEvent* event)
{
    const NetPicture& picture = m_view.picture();
    const int now = picture.parts[static_cast<std::size_t>(m_part)].first;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Left:
        m_view.requestCut(m_part, now - 1);
        return;
    case Qt::Key_Down:
    case Qt::Key_Right:
        m_view.requestCut(m_part, now + 1);
        return;
    case Qt::Key_Home:
        m_view.requestCut(m_part, 0);
        return;
    case Qt::Key_End:
        m_view.requestCut(m_part, static_cast<int>(picture.layers.size()));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void NetCutHandle::enterEvent(QEnterEvent* event)
{
    QWidget::enterEvent(event);
    update();
}

void NetCutHandle::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    update();
}

} // namespace lockstep::ui
