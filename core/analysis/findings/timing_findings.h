// Sentences about times that were compared in turns. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

namespace lockstep::analysis {

/// One for each difference that has an interval.
[[nodiscard]] std::vector<Finding> timingFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
