// The time of each variant against the baseline's, as results and the findings about times have it.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/run_record.h"
#include "analysis/statistics/paired_rounds.h"
#include "analysis/statistics/run_groups.h"

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
    std::string baseline; ///< names of the two variants, as a person reads them
    std::string run;
    std::string baselineKey; ///< and in their specs
    std::string runKey;
    /// `ms_per_step`; `samples_per_s` where the two do not do the same in a step: other batches, an asynchronous
    /// server.
    std::string_view figure;
    RelativeDifference difference; ///< differenceOf() the typical figure
    std::string_view unit; ///< what `n` counts: `block`, `seed`, or `run` of the smaller side where none are pairs
    std::vector<RunId> runs; ///< of both
    bool isDoubtful = false; ///< isFasterThanCoresAllow()
    bool isByChance = false; ///< the same work in equal steps on a busy machine: their difference is no finding
};

/// Whether a variant gains more against the baseline, for sure, than cores allow, so that other work, or a cache, made
/// the times: more than the cores that its ranks have more of; or, of ranks that do the same work, more than the cores
/// that they keep computing, by a quarter. `figure`: the time per step or the throughput.
[[nodiscard]] bool isFasterThanCoresAllow(const Figure& figure, const Group& baseline, const Group& group);

/// Of finished runs that train: every variant against `single`, else against the first. Empty for fewer than two.
[[nodiscard]] std::vector<Comparison> comparisons(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
