// Whether what a row of the table states as true holds in the runs that are made of it.
#pragma once

#include "core/truth/truth_stores.h"

#include <string>
#include <vector>

namespace lockstep::tests {

/// What does not hold, a line each; empty: all of it holds.
[[nodiscard]] std::vector<std::string> untrue(const TruthRow& row, const std::vector<TruthRun>& runs);

} // namespace lockstep::tests
