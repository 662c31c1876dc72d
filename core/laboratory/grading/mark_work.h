// Automatic points of one hand-in, by its laboratory and key. Figures are recomputed from the rows of its runs: what
// handin.json states of them earns nothing.
#pragma once

#include "analysis/run_record.h"
#include "laboratory/grading/marks.h"
#include "laboratory/hand_in.h"
#include "laboratory/laboratory_key.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory::grading {

/// A hand-in as it was read for marking.
struct ReadWork {
    std::string file; ///< as the LMS named it
    QString path; ///< on the disk
    HandIn handIn;
    std::vector<analysis::RunRecord> runs; ///< with figures from their rows
    std::vector<Error> refusedRuns;
};

/// What checking a code step gave; `share` of the step's points from 0 to 1, nothing: by hand.
struct CodeMark {
    std::optional<double> share{};
    Text note{};
};
/// Runs the code of a hand-in in a sandbox, and judges what it did. Called for steps with points only.
using CheckCode = std::function<CodeMark(const Laboratory&, const Step&, const ReadWork&)>;
/// Where no sandbox works: `code not run`.
[[nodiscard]] CodeMark codeNotRun(const Laboratory& laboratory, const Step& step, const ReadWork& work);

/// Of every step with points, in the laboratory's order. `laboratory`: the lecturer's, not the one in the hand-in.
[[nodiscard]] std::vector<StepMark> markedSteps(
    const Laboratory& laboratory, const LaboratoryKey& key, const ReadWork& work, const CheckCode& checkCode);

/// The readings of a number as a person types it: `1.5`, `1,5`, `2e-3`, `12 ms` where that is the unit; two of `1,234`.
/// Empty: it is none.
[[nodiscard]] std::vector<double> typedNumbers(std::string_view text, const Wording& unit);
/// Of the pairs of the right order, the share that the answer has in that order.
[[nodiscard]] double pairsRight(const std::vector<std::string>& answer, const std::vector<std::string>& right);

} // namespace lockstep::laboratory::grading
