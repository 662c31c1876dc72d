// What differs between runs: a row a setting or figure, a column a run. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <vector>

class QWidget;

namespace lockstep::ui {

/// Opens a window that stays until it is closed; it keeps what it shows.
void showRunDifferences(const std::vector<const analysis::RunRecord*>& runs, QWidget* parent);

} // namespace lockstep::ui
