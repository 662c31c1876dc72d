#include "ui/theme/window_style.h"

#include "ui/theme/theme.h"

#include <QLabel>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace lockstep::ui {

namespace {

/// Between text and ground: seen on both.
QColor edgeOf(const QStyleOption& option)
{
    QColor edge
        = option.palette.color(option.state.testFlag(QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled,
            QPalette::PlaceholderText);
    edge.setAlpha(option.state.testFlag(QStyle::State_Enabled) ? 200 : 90);
    return edge;
}

} // namespace

WindowStyle::WindowStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
    setObjectName(QStringLiteral("lockstep"));
}

void WindowStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    auto* label = qobject_cast<QLabel*>(widget);
    const bool isToolTip = label != nullptr && label->inherits("QTipLabel"); // by tipText() (ui/models/shown_text.h)
    if (label != nullptr && !isToolTip && label->textFormat() == Qt::AutoText) {
        label->setTextFormat(Qt::PlainText);
    }
}

void WindowStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool isField = (element == PE_FrameLineEdit || element == PE_Frame) && isDark(option->palette);
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton && !isField) {
        return;
    }
    const QRectF place = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
    QColor edge = edgeOf(*option);
    if (isField) {
        edge.setAlpha(edge.alpha() / 2); // large, so that a faint one is seen
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(edge);
    painter->setBrush(Qt::NoBrush);
    if (element == PE_IndicatorRadioButton) {
        painter->drawEllipse(place);
    } else {
        painter->drawRoundedRect(place, 2.0, 2.0);
    }
    painter->restore();
}

void WindowStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ScrollBar) {
        const QRect slider = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
        const bool isFlat = slider.width() < 6 || slider.height() < 6;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(edgeOf(*option));
        painter->drawRoundedRect(isFlat ? QRectF(slider) : QRectF(slider).adjusted(3, 3, -3, -3), 3.0, 3.0);
        painter->restore();
    }
}

} // namespace lockstep::ui
