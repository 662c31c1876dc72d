// Checks of users' own programs. Private to core/experiment.
#pragma once

#include "experiment/spec.h"

namespace lockstep::experiment {

/// Refuses `own.*` in a run of lockstep-rank.
[[nodiscard]] Result<void> refuseOwnParameters(const RunSpec& run);

} // namespace lockstep::experiment
