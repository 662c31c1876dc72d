// The windows about the machines that runs use: this one, and hosts over ssh.
#pragma once

#include <QString>
#include <QWidget>

namespace lockstep::ui {

void showMachine(const QString& storeFolder, QWidget& parent);
/// Experiments that begin later are where the user says.
void showHosts(QWidget& parent);

} // namespace lockstep::ui
