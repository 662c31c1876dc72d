// Asks once before a run starts a program, or writes to a folder, that its settings name.
#pragma once

#include "ui/shell/runs/run_controller.h"

#include <QWidget>

namespace lockstep::ui {

/// Shows all of it in full; starts the runs when the user agrees, and remembers the answer.
void askForConfirmation(QWidget* window, RunController& controller, const std::vector<experiment::RunSpec>& runs,
    const std::vector<launch::Risk>& risks);

} // namespace lockstep::ui
