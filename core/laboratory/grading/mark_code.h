// Marks code by running it in the sandbox of this machine (launch/machine/sandbox.h).
#pragma once

#include "laboratory/grading/mark_work.h"

namespace lockstep::laboratory::grading {

/// As GradeRequest::checkCode: all of the step's points for right code, none for wrong or missing code, with the
/// verdict as the note. `code not run` with the reason where no sandbox or no PyTorch works, or where the step has no
/// check. Blocking; minutes for a class.
[[nodiscard]] CodeMark codeInSandbox(const Laboratory& laboratory, const Step& step, const ReadWork& work);

} // namespace lockstep::laboratory::grading
