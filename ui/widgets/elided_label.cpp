#include "ui/widgets/elided_label.h"

#include "ui/models/shown_text.h"

#include <QPainter>
#include <QStyle>

namespace lockstep::ui {

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
}

void ElidedLabel::setWholeText(const QString& whole)
{
    const QString text = shownName(whole);
    if (text == this->text()) {
        return;
    }
    setText(text);
    setAccessibleName(text);
    updateToolTip();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("…")), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::updateToolTip()
{
    setToolTip(tipText(fontMetrics().horizontalAdvance(text()) > contentsRect().width() ? text() : QString()));
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    updateToolTip();
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    style()->drawItemText(
        &painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

} // namespace lockstep::ui
