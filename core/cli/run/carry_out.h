// Shared by `run` and `resume`: executes runs, reports their progress and prints their results.
#pragma once

#include "cli/arguments.h"
#include "cli/verbs.h"
#include "experiment/spec.h"

#include <vector>

namespace lockstep::cli {

/// With the options of rank_places.h and --out, --json and --store of `arguments`; gives the exit code.
[[nodiscard]] Result<int> carryOut(
    const std::vector<experiment::RunSpec>& runs, const Arguments& arguments, const CommandContext& context);

} // namespace lockstep::cli
