// `--local N`: the ranks of a run on this machine, without a workbench.
#pragma once

#include "engine/program/options.h"
#include "experiment/spec.h"

namespace lockstep::engine {

/// Starts the ranks as processes of their own, waits for all, and ends the others when one fails. Gives the exit code:
/// the worst of theirs, 3 for one that a signal ended.
[[nodiscard]] int runLocalRanks(const Options& options);

} // namespace lockstep::engine
