// Whether a run's losses were compared with those of a single process, and in what numbers.
#pragma once

#include "analysis/finding.h"
#include "analysis/run_record.h"

namespace lockstep::analysis {

/// Whether the comparison was made; it may have met losses that are not finite.
[[nodiscard]] bool isVerified(const RunRecord& run);
/// Whether the same comparison in float64, where rounding is too small to be taken for an error, would show more.
[[nodiscard]] bool isVerifiedInFloat32(const RunRecord& run);
/// Whether a finding is about that comparison of its only run.
[[nodiscard]] bool isOfVerification(const Finding& finding);

} // namespace lockstep::analysis
