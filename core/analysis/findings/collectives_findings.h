// Findings about finished runs of the experiment *Collectives*. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

[[nodiscard]] std::vector<Finding> collectivesFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
