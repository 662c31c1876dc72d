// What differs between runs: a row a setting or figure, a column a run; and what a run's settings differ in from its
// experiment as it is built in. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <vector>

class QLabel;
class QString;
class QWidget;

namespace lockstep::ui {

/// Opens a window that stays until it is closed; it keeps what it shows.
void showRunDifferences(const std::vector<const analysis::RunRecord*>& runs, QWidget* parent);
/// The same of one run; gives the line for its environment, which takes environmentText() once it has been read.
[[nodiscard]] QLabel* showRunDetails(const analysis::RunRecord& run, QWidget* parent);
/// `Ran on: cpu, LibTorch 1.13.1`; empty if unknown.
[[nodiscard]] QString environmentText(const QString& environment);

} // namespace lockstep::ui
