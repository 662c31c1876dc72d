#include "ui/widgets/focus.h"

#include <QApplication>
#include <QWidget>

namespace lockstep::ui {

void setEnabledKeepingFocus(QWidget& control, bool isEnabled, QWidget* fallback)
{
    const QWidget* focus = QApplication::focusWidget();
    const bool hasFocus = focus != nullptr && (focus == &control || control.isAncestorOf(focus));
    if (!isEnabled && control.isEnabled() && hasFocus && fallback != nullptr) {
        fallback->setFocus(Qt::OtherFocusReason);
    }
    control.setEnabled(isEnabled);
}

} // namespace lockstep::ui
