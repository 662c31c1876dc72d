// Findings about the memory of ranks in runs where no rank has the whole net with all of its states.
#pragma once

#include "analysis/findings/finding.h"

namespace lockstep::analysis {

/// Compares finished runs that report their memory.
[[nodiscard]] std::vector<Finding> memoryFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
