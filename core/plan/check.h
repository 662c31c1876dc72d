// What only a plan can tell of a run that experiment::validate has passed: whether the net can be cut as asked, whether
// its backend can reach its device, and whether it fits into the memory that a rank may take.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <span>

namespace lockstep::plan {

/// The message begins with the parameter's name, so that the form can put it beside its field.
[[nodiscard]] Result<void> check(const experiment::RunSpec& run);
/// The first of these that cannot be; the message ends with its variant, as expand()'s do.
[[nodiscard]] Result<void> checkAll(std::span<const experiment::RunSpec> runs);

} // namespace lockstep::plan
