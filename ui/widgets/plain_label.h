// Labels show text, never markup: what looks like HTML stays as it is written. GUI thread only.
#pragma once

#include <QLabel>

namespace lockstep::ui {

/// Every label of the window but those with their own class.
[[nodiscard]] QLabel* plainLabel(const QString& text, QWidget* parent = nullptr);
[[nodiscard]] QLabel* plainLabel(QWidget* parent = nullptr);

} // namespace lockstep::ui
