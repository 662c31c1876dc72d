#include "laboratory/code/exercise.h"

#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>

namespace lockstep::laboratory {

std::span<const Exercise> exercises()
{
    static const std::array Rows{optimizerExercise()};
    return Rows;
}

const Exercise* findExercise(std::string_view key)
{
    const auto rows = exercises();
    const auto found = std::ranges::find(rows, key, &Exercise::key);
    return found == rows.end() ? nullptr : &*found;
}

const Exercise* exerciseOf(const CodeStep& step)
{
    const Json check = carefulJson(step.check);
    return check.is_object() ? findExercise(textIn(check, "kind")) : nullptr;
}

void checkExercise(const Json& check, const FieldReader& reader)
{
    const Exercise* exercise = findExercise(textIn(check, "kind"));
    if (exercise == nullptr) {
        return;
    }
    std::vector<std::string_view> known{"kind"};
    bool isOfForm = true;
    for (const FieldInfo& field : exercise->fields) {
        known.push_back(field.name);
        const auto found = check.find(field.name);
        if (found != check.end()) {
            isOfForm = checkForm(*found, field.form, reader.in(field.name)) && isOfForm;
        } else if (field.isRequired) {
            reader.fail(LS_TR("Messages", "the field %1 is missing"), {verbatim(field.name)});
            isOfForm = false;
        }
    }
    for (const auto& [name, value] : check.items()) {
        if (std::ranges::find(known, name) == known.end()) {
            failUnknown(name, known, reader);
        }
    }
    if (isOfForm) {
        if (const auto tasks = exercise->tasks(check); !tasks) {
            reader.in(tasks.error().subject).fail(tasks.error().pattern, tasks.error().arguments);
        }
    }
}

} // namespace lockstep::laboratory
