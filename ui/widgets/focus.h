// Where the focus goes when a control is switched off. GUI thread only.
#pragma once

class QWidget;

namespace lockstep::ui {

/// Enables or disables a control. If it has the focus and goes off, `fallback` gets the focus: Qt would give it to the
/// next control in the window, whose value the next key would change. Null: as Qt does.
void setEnabledKeepingFocus(QWidget& control, bool isEnabled, QWidget* fallback);

} // namespace lockstep::ui
