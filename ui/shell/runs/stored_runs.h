// What is done with stored runs in dialogs that need the store: saving them as a bundle, their details. GUI thread
// only.
#pragma once

#include "base/ids.h"

#include <vector>

class QWidget;

namespace lockstep::ui {

class Notices;
class RunController;

/// Opens a dialog over the window that shows what the bundle will contain, and writes it where the user says. All
/// outlive the dialog.
void saveBundle(const std::vector<RunId>& runs, RunController& controller, Notices& notices, QWidget& window);

/// What differs from the experiment as it is built in, and what the run was measured on.
void showDetails(const RunId& run, RunController& controller, QWidget& window);

} // namespace lockstep::ui
