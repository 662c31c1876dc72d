// Kinds of exercises of code steps: one row each. A row reads the step's `check` object (data alone), says what the
// runner gets and makes a verdict of what the trial gave.
#pragma once

#include "base/result.h"
#include "laboratory/code/code_verdict.h"
#include "laboratory/code/trial.h"
#include "laboratory/format/field_table.h"
#include "laboratory/step_kinds.h"

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// One trial: what a step's `check` object asks for. An exercise may need several, such as worlds of 2, 3 and 4.
struct TrialTask {
    int ranks = 1;
    std::chrono::seconds limit{60}; ///< for all of its processes together
    /// For the runner, as input.json in the trial's folder: names to find in the student's file, seeds, shapes, data.
    /// Never what is expected.
    Json input = Json::object();
};

struct Exercise {
    std::string_view key; ///< `kind` of the check object: `optimizer`
    std::string_view help; ///< English, for the reference page
    std::string_view runner; ///< of resources/python/exercises: `optimizer.py`
    std::vector<FieldInfo> fields; ///< of the check object, beside `kind`
    /// The trials in order. Error: a value of the check object that does not fit; the subject is the field's name.
    /// `check` has the forms of `fields`.
    Result<std::vector<TrialTask>> (*tasks)(const Json& check);
    /// Of as many trials as tasks, or fewer where an earlier one was already wrong.
    CodeVerdict (*judge)(const Json& check, std::span<const TrialTask> tasks, std::span<const Trial> trials);
};

/// All of them.
[[nodiscard]] std::span<const Exercise> exercises();
/// nullptr: there is none.
[[nodiscard]] const Exercise* findExercise(std::string_view key);
/// That of a code step's check object; nullptr: its code is only shown.
[[nodiscard]] const Exercise* exerciseOf(const CodeStep& step);
/// What is wrong with the check object of a code step; `reader` collects it. Says nothing of a kind that is none of
/// exercises(): a later version may have it, and then the code is only shown.
void checkExercise(const Json& check, const FieldReader& reader);

// One function a row, each in its own file.
[[nodiscard]] Exercise optimizerExercise();

} // namespace lockstep::laboratory
