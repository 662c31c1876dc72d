// Effects of partitioning the data. Private to core/analysis.
#pragma once

#include "analysis/findings/finding.h"

namespace lockstep::analysis {

/// The experiment whose runs differ by what each rank sees.
inline constexpr std::string_view PartitioningExperiment = "partitioning";

/// Finished runs; those whose data were partitioned into shares are compared, also with a single process that trains
/// the same.
[[nodiscard]] std::vector<Finding> partitionFindings(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
