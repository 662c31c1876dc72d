// What can be said about the runs of an experiment: the findings of every laboratory that apply to them.
#pragma once

#include "analysis/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// The findings of these runs of one experiment. Unfinished runs are left out, and so are, unless they are to be
/// included, runs that were changed by hand while they went on; a finding names each.
[[nodiscard]] std::vector<Finding> findings(std::span<const RunRecord> runs, Interfered which = Interfered::LeaveOut);

} // namespace lockstep::analysis
