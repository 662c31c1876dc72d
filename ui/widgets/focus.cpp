#include "ui/widgets/focus.h"

#include <QApplication>
#include <QWidget>

namespace lockstep::ui {

void setEnabledKeepingFocus(QWidget& control, bool isEnabled, QWidget* refuge)
{
    const QWidget* focus = QApplication::focusWidget();
    const bool hasFocus = focus != nullptr && (focus == &control || control.isAncestorOf(focus));
    if (!isEnabled && control.isEnabled() && hasFocus && refuge != nullptr) {
        refuge->setFocus(Qt::OtherFocusReason);
    }
    control.setEnabled(isEnabled);
}

} // namespace lockstep::ui
