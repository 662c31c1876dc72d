// The link as measured by a run of collectives.
#pragma once

#include "analysis/comm_cost.h"
#include "analysis/run_record.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::analysis {

/// Median times by size: in place if measured, as in training.
[[nodiscard]] std::vector<Measurement> measurementsOf(const RunRecord& run);

/// Alpha and beta behind a sweep over all-reduces; empty for other runs, and if the sizes do not determine them.
[[nodiscard]] std::optional<LinkFit> linkOf(const RunRecord& run);
/// The mean over repeats.
[[nodiscard]] std::optional<LinkFit> linkOf(std::span<const RunRecord* const> repeats);

} // namespace lockstep::analysis
