#include "analysis/answers/question.h"

#include "analysis/study/parameter_study.h"
#include "base/translate.h"
#include "experiment/variant_name.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

/// Whether these are the preset's own variants; others, such as those with a parameter varied, ask something else.
bool areBuiltIn(std::span<const RunRecord> runs, const experiment::Spec& preset)
{
    return std::ranges::all_of(runs, [&](const RunRecord& run) {
        return std::ranges::find(preset.variants, run.spec.name, &experiment::Variant::name) != preset.variants.end();
    });
}

/// Of the spec; a preset's own is asked by its own variants only.
experiment::Wording givenFor(std::span<const RunRecord> runs)
{
    const experiment::RunSpec& spec = runs.front().spec;
    const experiment::Wording& ofPreset = experiment::aboutPreset(spec.experiment).question;
    const experiment::Wording& asked = spec.question == experiment::Wording() ? ofPreset : spec.question;
    const auto preset = experiment::preset(spec.experiment);
    const bool isOfPreset = asked == ofPreset;
    return isOfPreset && !(preset.isOk() && areBuiltIn(runs, *preset)) ? experiment::Wording() : asked;
}

std::string_view patternOf(const std::vector<StudyParameter>& parameters)
{
    const auto& settings = *parameters.front().parameter;
    if (settings.fills == &experiment::RankSettings::worldSize && parameters.size() == 1) {
        return LS_TR("Findings", "What do more ranks gain?");
    }
    if (std::ranges::any_of(parameters,
            [](const StudyParameter& each) { return each.parameter->fills == &experiment::RankSettings::strategy; })) {
        return LS_TR("Findings", "What does each strategy cost, and what does it gain?");
    }
    switch (parameters.size()) {
    case 1:
        return parameters.front().isNumeric() ? LS_TR("Findings", "Which value of %1 is best?")
                                              : LS_TR("Findings", "Which choice of %1 is best?");
    case 2:
        return LS_TR("Findings", "Which combination of %1 and %2 is best, and which of the two matters more?");
    case 3:
        return LS_TR("Findings", "Which combination of %1, %2 and %3 is best, and which matters most?");
    default:
        return LS_TR("Findings", "Which variant is best?");
    }
}

/// Nothing where the runs do not differ.
std::optional<Finding> derivedFrom(std::span<const RunRecord> runs)
{
    RunPointers all;
    std::ranges::transform(runs, std::back_inserter(all), [](const RunRecord& run) { return &run; });
    const std::vector<StudyParameter> parameters = studyParameters(all);
    if (parameters.empty()) {
        return std::nullopt;
    }
    Finding question{.kind = "question", .pattern = patternOf(parameters)};
    for (const StudyParameter& each : parameters) {
        question.labels.push_back(question.arguments.size());
        question.arguments.emplace_back(each.parameter->label);
    }
    return question;
}

} // namespace

bool varyRanksAlone(std::span<const RunRecord> runs)
{
    RunPointers all;
    std::ranges::transform(runs, std::back_inserter(all), [](const RunRecord& run) { return &run; });
    const std::vector<StudyParameter> parameters = studyParameters(all);
    return parameters.size() == 1 && parameters.front().parameter->fills == &experiment::RankSettings::worldSize;
}

std::optional<Question> questionOf(std::span<const RunRecord> runs)
{
    if (runs.empty() || std::ranges::any_of(runs, [&](const RunRecord& run) {
            return experiment::experimentKey(run.spec) != experiment::experimentKey(runs.front().spec);
        })) {
        return std::nullopt;
    }
    Question question{givenFor(runs), {}};
    if (!question.isGiven()) {
        question.derived = derivedFrom(runs);
    }
    return question.isGiven() || question.derived ? std::optional(std::move(question)) : std::nullopt;
}

std::string textOf(const Question& question, bool isChinese, const Translator& translate)
{
    return question.isGiven() ? experiment::textOf(question.given, isChinese) : sentence(*question.derived, translate);
}

} // namespace lockstep::analysis
