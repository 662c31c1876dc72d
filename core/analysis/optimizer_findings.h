// What finished runs of the experiment *Optimizers* say. Private to core/analysis.
#pragma once

#include "analysis/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// `runs`: finished, with curves. Repeats of a variant are taken together.
[[nodiscard]] std::vector<Finding> optimizerFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
