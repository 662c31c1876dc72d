// Which stored runs a rule deletes.
#pragma once

#include "analysis/run_record.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::analysis {

/// A run goes if it is older than `olderThanDays` and not among the newest `keepNewest` of its variant; one that did
/// not finish goes whatever its place, if `dropsUnfinished`. Never goes what is pinned or tagged, or has not ended.
struct RetentionRule {
    int olderThanDays = 30;
    int keepNewest = 3; ///< of each experiment's variants; 0 keeps none
    bool dropsUnfinished = false; ///< failed, stopped and interrupted runs that are old enough
};

/// In the order given. `nowNs`: wall clock.
[[nodiscard]] std::vector<RunId> runsToDelete(
    std::span<const RunRecord> runs, const RetentionRule& rule, std::int64_t nowNs);

} // namespace lockstep::analysis
