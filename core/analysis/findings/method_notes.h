// How findings were measured: said once below them, and in none of their sentences.
#pragma once

#include "analysis/finding.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// Of the runs that count, and of what was said of them. Each is a sentence.
[[nodiscard]] std::vector<Finding> methodNotes(std::span<const Finding> said, std::span<const RunRecord> runs);

/// Whether a number has its interval behind it.
[[nodiscard]] bool hasIntervals(std::span<const Finding> said);

} // namespace lockstep::analysis
