// Fusion with what its dark palette lacks: a border around fields, and around boxes and circles that are not ticked;
// a scroll bar that differs from its trough. The labels that Qt's own dialogs make show text, never markup. GUI thread
// only.
#pragma once

#include <QProxyStyle>

namespace lockstep::ui {

class WindowStyle : public QProxyStyle {
    Q_OBJECT

public:
    WindowStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
};

} // namespace lockstep::ui
