// Effects of partitioning the data. Private to core/analysis.
#pragma once

#include "analysis/finding.h"

namespace lockstep::analysis {

/// Finished runs; those whose data were partitioned into shares are compared.
[[nodiscard]] std::vector<Finding> partitionFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
