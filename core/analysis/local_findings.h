// What synchronizing less often saves and costs. Private to core/analysis.
#pragma once

#include "analysis/finding.h"

namespace lockstep::analysis {

/// Finished runs; those whose ranks train locally are held against those that synchronize most often.
[[nodiscard]] std::vector<Finding> localFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
