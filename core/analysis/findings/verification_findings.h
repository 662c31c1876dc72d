// Findings about runs whose losses were compared with a single process's (`verify`). Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// `runs`: finished. Those that were not compared are ignored.
[[nodiscard]] std::vector<Finding> verificationFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
