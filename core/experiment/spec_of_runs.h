// The experiment whose runs are given: the inverse of expand().
#pragma once

#include "experiment/spec.h"

#include <span>
#include <vector>

namespace lockstep::experiment {

/// One spec for each name of an experiment, in the order of the runs. `base` has what all variants set alike, a variant
/// what it sets for itself, both without the table's defaults. Variants of one name and other settings get a number.
[[nodiscard]] std::vector<Spec> specsOfRuns(std::span<const RunSpec> runs);

} // namespace lockstep::experiment
