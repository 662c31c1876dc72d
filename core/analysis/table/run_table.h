// Runs and groups of runs as a table of texts: what `lockstep runs` prints and what the window exports.
#pragma once

#include "analysis/table/column.h"
#include "analysis/table/grouping.h"
#include "analysis/table/text_table.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// How values are written: in full, for other programs (empty where there is none), or for a reader (`95.1 %`).
enum class TableForm { Raw, Readable };

struct TableLayout {
    std::vector<const Column*> columns; ///< of groups only the figures count
    std::vector<const Column*> by; ///< what groups were made by; empty: by variant
    TableForm form = TableForm::Readable;
    std::function<std::string(const Column&)> header; ///< of a column; none: its name
    /// Headers beside those of columns: translated from LS_TR("RunTable", ...); none: as it stands.
    std::function<std::string(const char*)> translate;
};

/// A row a run. With a baseline each figure is followed by its difference to the baseline's.
[[nodiscard]] TextTable tableOfRuns(
    std::span<const RunRecord* const> runs, const RunRecord* baseline, const TableLayout& layout);
/// A row a group: its key, n, each figure with its interval, what else differs within it. `baseline` is one of the
/// groups, or null. Raw: the ends of intervals, n, and differences (in percent, of shares in points) have columns of
/// their own.
[[nodiscard]] TextTable tableOfGroups(
    std::span<const RowGroup> groups, const RowGroup* baseline, const TableLayout& layout);

/// A group of one run, for differences between single runs.
[[nodiscard]] RowGroup groupOfOne(const RunRecord& run);
/// The parameters in which the counted runs differ, by name: `optimizer.lr, train.batch`.
[[nodiscard]] std::string mixedText(const RowGroup& group);

} // namespace lockstep::analysis
