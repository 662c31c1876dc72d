// The table of runs, or of groups, as a file's text. GUI thread only.
#pragma once

#include "ui/models/runs/run_groups_model.h"

#include <functional>
#include <string>
#include <vector>

class QWidget;

namespace lockstep::ui {

/// CSV holds numbers in full under the columns' names; LaTeX what a reader sees, in the window's language.
enum class RunsFileFormat { Csv, Latex };

/// These runs with these columns, and the differences to the table's baseline where it has one.
[[nodiscard]] std::string exportedRuns(const RunsTableModel& table, const std::vector<const analysis::RunRecord*>& runs,
    const std::vector<const analysis::Column*>& columns, RunsFileFormat format);
[[nodiscard]] std::string exportedGroups(const RunGroupsModel& groups, RunsFileFormat format);
/// Asks for a file and writes the text; then `report` gets a sentence for the user. Returns at once.
void saveRunsFile(const std::string& text, RunsFileFormat format, QWidget* window,
    const std::function<void(bool isWritten, const QString& sentence)>& report);

} // namespace lockstep::ui
