// Sentences on what each way of dividing a net between ranks costs in time, traffic and memory, beside the single
// process. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

[[nodiscard]] std::vector<Finding> modelParallelFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
