// Checks that need a plan, for runs that experiment::validate has accepted: the net can be cut, the backend can reach
// the device, and the run fits into a rank's memory limit.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <span>

namespace lockstep::plan {

/// The message begins with the parameter's name, so that the form can show it beside its field.
[[nodiscard]] Result<void> check(const experiment::RunSpec& run);
/// The error of the first run that fails; the message ends with its variant, as expand()'s do.
[[nodiscard]] Result<void> checkAll(std::span<const experiment::RunSpec> runs);

} // namespace lockstep::plan
