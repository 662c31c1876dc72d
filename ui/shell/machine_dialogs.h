// The windows about the machines that runs use: this one, and hosts over ssh.
#pragma once

#include "session/commands/host_file.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace lockstep::ui {

class RunController;

void showMachine(const QString& storeFolder, QWidget& parent);
/// Runs that begin later are where the user says.
void showHosts(RunController& controller, QWidget& parent);
/// Where the user has said that runs are; empty: on this machine.
[[nodiscard]] std::vector<rendezvous::Host> chosenHosts();

} // namespace lockstep::ui
