#include "laboratory/laboratory_key.h"

#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "laboratory/format/laboratory_fields.h"

#include <algorithm>
#include <set>

namespace lockstep::laboratory {

namespace {

Result<void> checkAnswer(const KeyEntry& entry, const QuestionStep& question, const Laboratory& laboratory)
{
    const auto isChoice = [&question](const std::string& id) {
        return std::ranges::find(question.choices, id, &Choice::id) != question.choices.end();
    };
    switch (question.form) {
    case QuestionForm::Text:
        return {};
    case QuestionForm::Number: {
        if (entry.answer.empty()) {
            return failure(LS_TR("Messages", "its answer is missing"));
        }
        LOCKSTEP_TRY_ASSIGN(const auto run, runForFormula(laboratory, question));
        LOCKSTEP_TRY(formulaValue(entry.answer, run));
        return {};
    }
    case QuestionForm::Choice:
        if (entry.answer.empty()) {
            return failure(LS_TR("Messages", "its answer is missing"));
        }
        return isChoice(entry.answer)
            ? Result<void>()
            : failure(LS_TR("Messages", "the answer %1 is no choice of the question"), {verbatim(entry.answer)});
    case QuestionForm::Order: {
        const std::set<std::string> different(entry.order.begin(), entry.order.end());
        return different.size() == question.choices.size() && entry.order.size() == different.size()
                && std::ranges::all_of(entry.order, isChoice)
            ? Result<void>()
            : failure(LS_TR("Messages", "the answer is not all choices of the question, each once"));
    }
    }
    return {};
}

} // namespace

Result<experiment::RunSpec> runForFormula(const Laboratory& laboratory, const QuestionStep& question)
{
    const ExperimentStep* about = laboratory.experiment(question.about.step);
    if (about == nullptr) {
        return experiment::parseRunSpec(R"({"version":1,"experiment":"own","name":"own","repeat":0,"base":{}})");
    }
    LOCKSTEP_TRY_ASSIGN(auto runs, experiment::expand(about->spec));
    const auto named = std::ranges::find(runs, question.about.variant, &experiment::RunSpec::name);
    return named == runs.end() ? runs.front() : *named;
}

Result<LaboratoryKey> parseKey(std::string_view text, const std::string& name)
{
    const FieldJson json = carefulJson(text);
    if (json.is_object() && json.value("steps", FieldJson()).is_array()) {
        return during(verbatim(name), failure(LS_TR("Messages", "it is a laboratory, not a key")));
    }
    if (!json.is_object()) {
        return during(verbatim(name), failure(LS_TR("Messages", "it is not JSON: %1"), {whyNoObject(text)}));
    }
    std::vector<Error> errors;
    LaboratoryKey key;
    readKeyFields(json, key, FieldReader({}, errors));
    return errors.empty() ? Result<LaboratoryKey>(std::move(key)) : during(verbatim(name), errors.front());
}

std::vector<Error> checkKey(const LaboratoryKey& key, const Laboratory& laboratory)
{
    if (key.laboratory != laboratory.id || key.revision != laboratory.revision) {
        return {failure(LS_TR("Messages", "the key is of %1, revision %2; the laboratory is %3, revision %4"),
            {verbatim(key.laboratory), key.revision, verbatim(laboratory.id), laboratory.revision})};
    }
    std::vector<Error> errors;
    for (const auto& [id, entry] : key.steps) {
        const std::string path = "key.steps." + id;
        const Step* step = laboratory.find(id);
        if (step == nullptr) {
            errors.push_back(refusal(path, LS_TR("Messages", "the laboratory has no such step")));
            continue;
        }
        const auto* question = step->as<QuestionStep>();
        if (question == nullptr && !(entry.answer.empty() && entry.order.empty())) {
            errors.push_back(refusal(path, LS_TR("Messages", "only a question has an answer")));
        } else if (question != nullptr) {
            if (const auto checked = checkAnswer(entry, *question, laboratory); !checked) {
                errors.push_back(refusal(path, LS_TR("Messages", "%1"), {checked.error()}));
            }
        }
    }
    return errors;
}

} // namespace lockstep::laboratory
