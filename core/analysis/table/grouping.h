// Rows of the table that summarise several runs: groups by the values of columns, with means and their intervals, and
// the difference of one group to another.
#pragma once

#include "analysis/figures/figure_estimate.h"
#include "analysis/run_record.h"
#include "analysis/table/column.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

struct RowGroup {
    std::vector<Cell> key; ///< a cell for each column that it was grouped by
    std::string name; ///< the key as text; of runs that are repeats, the variant's name
    std::vector<const RunRecord*> runs; ///< all, as given
    /// What means are over: finished runs, without those that were changed by hand unless these are included; of runs
    /// with equal settings and equal seed the newest, since the same seed again says nothing of chance.
    std::vector<const RunRecord*> counted;
    /// Settings in which the counted ones differ beside the key: then the interval is not of chance alone.
    std::vector<const experiment::Parameter*> mixed;
};

/// In the order of their first runs. By no column: runs of one experiment and variant that differ at most in the seed
/// are one group. Borrows the runs.
[[nodiscard]] std::vector<RowGroup> groupRuns(
    std::span<const RunRecord* const> runs, std::span<const Column* const> by, Interfered which);

/// Of the counted runs; of a column that is a figure.
[[nodiscard]] MeanEstimate estimateOf(const RowGroup& group, const Column& column);
[[nodiscard]] FigureDifference differenceTo(const RowGroup& baseline, const RowGroup& group, const Column& column);

} // namespace lockstep::analysis
