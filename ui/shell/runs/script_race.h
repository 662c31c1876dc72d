// Runs as PyTorch scripts, and the race of one against its run. GUI thread only.
#pragma once

#include "experiment/spec.h"

#include <QString>

#include <vector>

class QWidget;

namespace lockstep::ui {

class MessageStrip;
class RunController;

struct ScriptRace {
    RunController& controller; ///< starts both
    MessageStrip& strip; ///< says why it does not
    QString folder; ///< of the store: scripts that are raced are kept below it
};

/// Opens the dialog for the first repeats of these runs; no-op without any. What `race` refers to outlives the window.
void showAsPytorch(QWidget& window, const ScriptRace& race, std::vector<experiment::RunSpec> runs);

} // namespace lockstep::ui
