// Private to core/laboratory/grading; see grade_files.h.
#pragma once

#include "laboratory/grading/grade_files.h"

#include <string>

namespace lockstep::laboratory::grading {

/// answers.csv: a line a hand-in and step, for a marker to write points and comments into.
[[nodiscard]] std::string answersTable(const Grading& grading, Names names);
/// answers.html: for each step the answers of all.
[[nodiscard]] Result<std::string> answersPage(const Grading& grading, Names names);

} // namespace lockstep::laboratory::grading
