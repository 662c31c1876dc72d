// `--local N`: the ranks of a run on this machine, without a workbench.
#pragma once

#include "engine/program/options.h"
#include "experiment/spec.h"

namespace lockstep::engine {

/// Starts the ranks as separate processes, waits for all, and ends the others when one fails. Returns the worst exit
/// code, with 3 for a rank that a signal ended.
[[nodiscard]] int runLocalRanks(const Options& options);

} // namespace lockstep::engine
