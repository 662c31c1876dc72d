// Marks code by running it in the sandbox of this machine (launch/machine/sandbox.h).
#pragma once

#include "laboratory/grading/mark_work.h"

#include <atomic>

namespace lockstep::laboratory::grading {

/// Error, one line: no sandbox or no PyTorch works here, so that no code can be run. Blocks while it is found out.
[[nodiscard]] Result<void> canRunCode(const std::atomic_bool* cancelled = nullptr);

/// For GradeRequest::checkCode: all of the step's points for right code, none for wrong or missing code, with the
/// verdict as the note. `code not run` with the reason where no sandbox or no PyTorch works, or where the step has no
/// check. Blocking; minutes for a class. `cancelled`: ends the program that runs; null: never.
[[nodiscard]] CheckCode sandboxedCheck(const std::atomic_bool* cancelled = nullptr);

} // namespace lockstep::laboratory::grading
