// What `run` and `resume` have in common: runs carried out, told of while they go, and their results printed.
#pragma once

#include "experiment/spec.h"
#include "session/commands/arguments.h"
#include "session/commands/verbs.h"

#include <vector>

namespace lockstep::session {

/// With the options --out, --json and --store of `arguments`; gives the exit code.
[[nodiscard]] int carryOut(
    const std::vector<experiment::RunSpec>& runs, const Arguments& arguments, const CommandContext& context);

} // namespace lockstep::session
