// Findings about finished runs that differ in their number of ranks. Private to core/analysis.
#pragma once

#include "analysis/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// `runs`: finished. Ignores experiments of which no run scales (scalesOf()).
[[nodiscard]] std::vector<Finding> scalingFindings(std::span<const RunRecord> runs, Interfered which);

} // namespace lockstep::analysis
