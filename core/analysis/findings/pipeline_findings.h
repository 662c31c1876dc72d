// Findings about finished runs whose net was cut by layers. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

[[nodiscard]] std::vector<Finding> pipelineFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
