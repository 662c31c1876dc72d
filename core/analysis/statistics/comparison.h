// The time of each variant against the baseline's: paired by rounds of blocks where the runs took turns, by seeds where
// there are repeats.
#pragma once

#include "analysis/run_record.h"
#include "analysis/statistics/paired_rounds.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

/// Relative: times that differ by no more count as the same.
inline constexpr double SmallDifference = 0.1;
/// Whether two times whose relative difference lies in this interval count as the same.
[[nodiscard]] constexpr bool isSmallDifference(double low, double high)
{
    return -SmallDifference <= low && high <= SmallDifference;
}

struct Comparison {
    std::string baseline; ///< names of the two variants
    std::string run;
    /// `ms_per_step`; `samples_per_s` where the two do not do the same in a step: other batches, an asynchronous
    /// server.
    std::string_view figure;
    RelativeDifference difference; ///< of `run`, relative to the baseline; without an interval where each ran once
    std::string_view unit; ///< what `n` counts: `block` or `seed`
    std::vector<RunId> runs; ///< of both
};

/// Of the blocks that count and that two runs ran in the same rounds of one comparison: log of the ratio of `b` to `a`,
/// in order. Empty unless the two took turns with each other.
[[nodiscard]] std::vector<double> logRatios(const RunRecord& a, const RunRecord& b, std::string_view figure);

/// Of finished runs that train: every variant against `single`, else against the first. Empty for fewer than two.
[[nodiscard]] std::vector<Comparison> comparisons(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
