// The window about the machine that runs use.
#pragma once

#include <QString>
#include <QWidget>

namespace lockstep::ui {

void showMachine(const QString& storeFolder, QWidget& parent);

} // namespace lockstep::ui
