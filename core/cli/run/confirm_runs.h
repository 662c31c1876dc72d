// What a spec file or a stored run would start or write, confirmed on the command line.
#pragma once

#include "cli/arguments.h"
#include "experiment/spec.h"

#include <span>
#include <string>

namespace lockstep::cli {

/// Marks the runs as confirmed. `typed`: parameters that the user gave on this command line, which need no more; the
/// others need --trust once. The error is one line that says what would be started or written.
[[nodiscard]] Result<void> confirmRuns(
    std::span<experiment::RunSpec> runs, std::span<const std::string> typed, const Arguments& arguments);

} // namespace lockstep::cli
