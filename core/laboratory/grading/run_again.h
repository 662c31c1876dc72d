// Runs of hand-ins, run again on this machine, and what differs.
#pragma once

#include "laboratory/grading/grade.h"

#include <vector>

namespace lockstep::laboratory::grading {

/// Whether another run of the same settings gave the same losses: bit for bit, as on the same kind of processor; else
/// the first ten steps within 1e-4 of each other, and the last loss in the 95 % prediction interval of the student's
/// own repeats; else the first step that differs.
[[nodiscard]] Text comparedRun(const ChosenRun& handedIn, const analysis::RunRecord& again);

/// Runs them on this machine, one after another, in a store that is removed at the end: a line each, in their order.
/// What would start a program or write to a folder (launch/trust.h) is not run. Blocks; in a thread without a session.
[[nodiscard]] Result<std::vector<Text>> runAgain(const std::vector<ChosenRun>& chosen, const GradeProgress& progress);

} // namespace lockstep::laboratory::grading
