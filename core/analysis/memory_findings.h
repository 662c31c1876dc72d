// What runs say about the memory of their ranks, where no rank has the whole net with all that training keeps of it.
#pragma once

#include "analysis/finding.h"

namespace lockstep::analysis {

/// Compares finished runs that report their memory.
[[nodiscard]] std::vector<Finding> memoryFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
