// Findings about finished runs that differ in their number of ranks. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"
#include "analysis/scaling/scaling.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// `runs`: finished; `scales`: scalesByExperiment() of them. Ignores experiments of which no run scales.
[[nodiscard]] std::vector<Finding> scalingFindings(
    std::span<const RunRecord> runs, const std::map<std::string, Scales>& scales, Interfered which);

} // namespace lockstep::analysis
