// The runs that a command line names: a preset or spec file, with --set, --vary, --only and --trust.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "session/commands/arguments.h"

#include <vector>

namespace lockstep::session {

/// Of the first positional word. Complete, checked and confirmed. What has no effect is told on stderr.
[[nodiscard]] Result<std::vector<experiment::RunSpec>> readRuns(const Arguments& arguments);

} // namespace lockstep::session
