// Findings about finished runs of several ranks. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

[[nodiscard]] std::vector<Finding> aggregationFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
