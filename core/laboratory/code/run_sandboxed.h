// The ranks of a trial within one sandbox, for code that is marked.
#pragma once

#include "laboratory/code/run_trial.h"

namespace lockstep::laboratory {

/// As TrialOptions::run: all ranks in one sandbox (launch/machine/sandbox.h), over its own loopback. Ends at the limit
/// are TimeLimit; how a rank ended is what the sandbox itself says, its own word as the records are. Error: the sandbox
/// does not work here, or it ended the code for what it used, in one line.
[[nodiscard]] Result<std::vector<RankEnd>> runRanksInSandbox(const TrialCommands& commands);

} // namespace lockstep::laboratory
