// Deletes old runs by a rule, after showing how many that are. GUI thread only.
#pragma once

#include "base/ids.h"

#include <functional>
#include <vector>

class QWidget;

namespace lockstep::ui {

class RunsTableModel;

/// Opens a window; `deleteRuns` gets the runs once the user has agreed. The model outlives the window's parent.
void openCleanUp(
    const RunsTableModel& model, QWidget* parent, const std::function<void(const std::vector<RunId>&)>& deleteRuns);

} // namespace lockstep::ui
