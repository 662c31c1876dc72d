// Findings about the parameters in which runs differ. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// Which of two parameters changes the test accuracy more, or the training loss where no run has an accuracy.
[[nodiscard]] std::vector<Finding> influenceFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
