// What is said of a student's code: right, or the first thing that is wrong and where. It is made outside of the
// student's process, from the records of a trial.
#pragma once

#include "base/result.h"
#include "laboratory/code/trial.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

struct CodeVerdict {
    std::optional<Error> fault{}; ///< the first thing that is wrong; nothing: the code is right
    int line = 0; ///< in the student's file; 0: not known
    std::string mistake{}; ///< key of the known mistake that reproduces the student's numbers; empty: none does
    Text mistakeName{}; ///< what that mistake is, in plain words: LS_TR("Messages", ...)
    std::string mistakeFormula{}; ///< the same as a formula; may be empty
    Text remark{}; ///< of right code: which reference it agrees with, LS_TR("Messages", ...); may be empty
    std::vector<std::string> output{}; ///< the last lines that the code wrote, where they explain the fault

    [[nodiscard]] bool isRight() const { return !fault; }
};

/// What every exercise checks first: an exception of the student's (record `error`), a file or name that was not found
/// (`missing`), a signal, the time limit, an exit code, a rank without the record `end`. Nothing: all ranks ran to
/// their end. An exercise that explains a time limit itself looks at the records before it calls this.
[[nodiscard]] std::optional<CodeVerdict> brokenTrial(const Trial& trial);

/// Where no rank has computed anything for long, and none raised an exception: the line in which each of them waits.
[[nodiscard]] std::optional<CodeVerdict> standstill(const Trial& trial);

/// The verdict in this thread's language, the answer first: `Right.`, or `Wrong, line 12: ...`; then the known mistake
/// with its formula. No line of the output.
[[nodiscard]] std::vector<std::string> verdictLines(const CodeVerdict& verdict);

/// `verdict`, if it is wrong and has no line, with that of the first of these functions or methods that the student's
/// file has.
[[nodiscard]] CodeVerdict atFunction(
    CodeVerdict verdict, const Trial& trial, std::initializer_list<std::string_view> names);

/// A verdict that names what is wrong.
[[nodiscard]] CodeVerdict wrong(Error fault, int line = 0);

} // namespace lockstep::laboratory
