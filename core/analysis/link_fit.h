// The link that a run which measured collectives has seen.
#pragma once

#include "analysis/comm_cost.h"
#include "analysis/run_record.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::analysis {

/// Median times by size: in place where there are such, as training does it.
[[nodiscard]] std::vector<Measurement> measurementsOf(const RunRecord& run);

/// Alpha and beta behind a sweep over all-reduces; empty for other runs, and if the sizes do not determine them.
[[nodiscard]] std::optional<LinkFit> linkOf(const RunRecord& run);
/// The mean over repeats.
[[nodiscard]] std::optional<LinkFit> linkOf(std::span<const RunRecord* const> repeats);

} // namespace lockstep::analysis
