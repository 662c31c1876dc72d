// The key of a laboratory, NAME.key: answers, tolerances, points and rubric, for the lecturer alone. It is never part
// of a .lab file.
#pragma once

#include "base/result.h"
#include "laboratory/laboratory.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

struct KeyEntry {
    std::string answer; ///< a number, a formula, an id of a choice or a text; empty: none
    std::vector<std::string> order; ///< the answer of an order
    std::optional<double> tolerance{}; ///< relative: 0.05 is 5 %
    double points = 0.0;
    Wording rubric;
};

struct LaboratoryKey {
    std::string laboratory; ///< its id
    int revision = 1;
    std::map<std::string, KeyEntry> steps; ///< by id
};

/// Refuses a laboratory in the place of a key, a later version and fields that no key has. `name`: for messages.
[[nodiscard]] Result<LaboratoryKey> parseKey(std::string_view json, const std::string& name);
/// What does not fit the laboratory: another one's, steps that it does not have, choices that are none, formulas that
/// cannot be read. Each one line.
[[nodiscard]] std::vector<Error> checkKey(const LaboratoryKey& key, const Laboratory& laboratory);

/// The run by whose settings a question's formula is read: of the variant that it is about, or else the first of its
/// experiment.
[[nodiscard]] Result<experiment::RunSpec> runForFormula(const Laboratory& laboratory, const QuestionStep& question);

/// A key's answer to a number as its reader checks it: `2 × (3 - 1) / 3 × 31400 = 41866.7 B`, with the values of the
/// run's settings in the place of their names. Only `= 12 ms` where the answer is a number. Error: as formulaValue().
[[nodiscard]] Result<std::string> computedAnswer(
    std::string_view formula, const experiment::RunSpec& run, const std::string& unit);

/// The key's answer to a question as its reader sees it, in this thread's language: of a number computedAnswer(), of a
/// choice and an order their texts. Empty: there is none.
[[nodiscard]] std::string shownAnswer(const Laboratory& laboratory, const Step& step, const KeyEntry& entry);

/// The value of a formula such as `2*(n-1)/n*bytes` under the settings of a run: numbers, + - * / ^, brackets, sqrt,
/// log2, min and max; names of parameters (`train.batch`), `n` the number of ranks, `parameters` of the net and
/// `bytes` = 4 `parameters`. Error: the place where it cannot be read, a name that is none, or no
/// finite value.
[[nodiscard]] Result<double> formulaValue(std::string_view formula, const experiment::RunSpec& run);

} // namespace lockstep::laboratory
