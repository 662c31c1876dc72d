// Findings about finished runs of the experiment *Optimizers*. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// `runs`: finished, with curves. Groups the repeats of a variant.
[[nodiscard]] std::vector<Finding> optimizerFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
