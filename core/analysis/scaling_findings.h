// Findings about finished runs of the experiment *Scaling*. Private to core/analysis.
#pragma once

#include "analysis/finding.h"

#include <span>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

/// The experiment whose runs differ by their number of ranks.
inline constexpr std::string_view ScalingExperiment = "scaling";

/// `runs`: finished. Ignores other experiments.
[[nodiscard]] std::vector<Finding> scalingFindings(std::span<const RunRecord> runs, Interfered which);

} // namespace lockstep::analysis
