// An experiment as a command line.
#pragma once

#include "experiment/spec.h"

#include <string>

namespace lockstep::experiment {

/// The `lockstep run` command that starts the same runs, for a POSIX shell: a preset with --only, --set and --vary
/// where those are enough, else with the whole spec in a here-document.
[[nodiscard]] std::string commandOf(const Spec& spec);

/// A word of a POSIX shell's command, in quotation marks where it needs them.
[[nodiscard]] std::string shellQuoted(const std::string& text);

} // namespace lockstep::experiment
