// Rows of the table that summarise several runs: groups by the values of columns, with means and their intervals, and
// the difference of one group to another.
#pragma once

#include "analysis/run_record.h"
#include "analysis/table/column.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// A mean over runs with its 95 % confidence interval; NotMeasured if unknown.
struct GroupedFigure {
    double mean = NotMeasured;
    double low = NotMeasured; ///< of fewer than two values there is no interval
    double high = NotMeasured;
    std::size_t n = 0; ///< values

    [[nodiscard]] bool hasInterval() const { return low <= high; }
};

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

/// Of the counted runs. Shares have intervals that stay within 0 to 1.
[[nodiscard]] GroupedFigure figureOf(const RowGroup& group, const Column& column);
/// `95.2 % [94.6, 95.7]`, `0.0921 [0.0882, 0.0962]`, `12.3`; `–` where nothing was measured.
[[nodiscard]] std::string figureText(const Column& column, const GroupedFigure& figure);

/// Of a group's figure to the baseline's: relative to it (0.2 is 20 % more), for shares in points (0.012 is 1.2 points
/// more).
struct FigureDifference {
    double difference = NotMeasured;
    double low = NotMeasured; ///< of the 95 % confidence interval; NotMeasured where one of them ran once
    double high = NotMeasured;
    std::size_t n = 0; ///< pairs of equal seed, or runs of the smaller group
    bool isInPoints = false;
    bool isPaired = false; ///< by seed, so that what a seed does to both does not widen the interval

    [[nodiscard]] bool hasInterval() const { return low <= high; }
};

/// Runs of equal seed are pairs where the whole smaller group has partners; else the groups are independent samples
/// (Welch). Relative differences are means of log ratios, and so need figures above 0: else NotMeasured.
[[nodiscard]] FigureDifference differenceTo(const RowGroup& baseline, const RowGroup& group, const Column& column);
/// `+3.2 % [+1.0, +5.5]`, `-1.2 points`; `–` if unknown.
[[nodiscard]] std::string differenceText(const FigureDifference& difference);

} // namespace lockstep::analysis
