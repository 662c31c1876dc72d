// Shared by `run` and `resume`: executes runs, reports their progress and prints their results.
#pragma once

#include "cli/arguments.h"
#include "cli/verbs.h"
#include "experiment/spec.h"

#include <functional>
#include <vector>

namespace lockstep::cli {

/// With the options of rank_places.h and --out, --json and --store of `arguments`; gives the exit code. `started` gets
/// the ids of all runs before the first one ends.
[[nodiscard]] Result<int> carryOut(const std::vector<experiment::RunSpec>& runs, const Arguments& arguments,
    const CommandContext& context, const std::function<void(const std::vector<RunId>& ids)>& started = {});

} // namespace lockstep::cli
