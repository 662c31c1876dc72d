// Savings and costs of synchronizing less often. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

namespace lockstep::analysis {

/// Finished runs; compares those whose ranks train locally with those that synchronize most often.
[[nodiscard]] std::vector<Finding> localFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
