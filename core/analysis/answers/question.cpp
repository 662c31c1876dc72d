#include "analysis/answers/question.h"

#include "analysis/study/parameter_study.h"
#include "base/translate.h"

#include <algorithm>
#include <array>

namespace lockstep::analysis {

namespace {

/// Of the presets that state none.
struct Asked {
    std::string_view experiment;
    std::string_view question;
};

constexpr std::array Presets{
    Asked{"optimizers", LS_TR("Findings", "Which optimizer learns best, per step and per second?")},
    Asked{"aggregation", LS_TR("Findings", "Which way of averaging costs how much, and who waits for whom?")},
    Asked{"partitioning", LS_TR("Findings", "What does a partition of the data cost in accuracy?")},
    Asked{"scaling", LS_TR("Findings", "What do more ranks gain?")},
    Asked{"model-parallel", LS_TR("Findings", "What does a cut of the net cost, and what does it save?")},
    Asked{"sharding", LS_TR("Findings", "How much memory does sharding save, and at what cost?")},
    Asked{"collectives", LS_TR("Findings", "Which algorithm is the fastest at which message size?")},
};

/// Whether these are the preset's own variants; others, such as those with a parameter varied, ask something else.
bool areBuiltIn(std::span<const RunRecord> runs, const experiment::Spec& preset)
{
    return std::ranges::all_of(runs, [&](const RunRecord& run) {
        return std::ranges::find(preset.variants, run.spec.name, &experiment::Variant::name) != preset.variants.end();
    });
}

/// What the preset says.
Question ofPreset(std::span<const RunRecord> runs)
{
    const std::string_view name = runs.front().spec.experiment;
    const auto preset = experiment::preset(name);
    if (!preset.isOk() || !areBuiltIn(runs, *preset)) {
        return {};
    }
    Question question{preset->about.question, {}};
    const auto asked = std::ranges::find(Presets, name, &Asked::experiment);
    if (!question.isGiven() && asked != Presets.end()) {
        question.derived = Finding{.kind = "question", .pattern = asked->question};
    }
    return question;
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
        return LS_TR("Findings", "Which matters more, %1 or %2?");
    case 3:
        return LS_TR("Findings", "Which matters most: %1, %2 or %3?");
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

std::optional<Question> questionOf(std::span<const RunRecord> runs)
{
    if (runs.empty() || std::ranges::any_of(runs, [&](const RunRecord& run) {
            return run.spec.experiment != runs.front().spec.experiment;
        })) {
        return std::nullopt;
    }
    Question question = ofPreset(runs);
    if (!question.isGiven() && !question.derived) {
        question.derived = derivedFrom(runs);
    }
    return question.isGiven() || question.derived ? std::optional(std::move(question)) : std::nullopt;
}

std::string textOf(const Question& question, bool isChinese, const Translator& translate)
{
    if (!question.isGiven()) {
        return sentence(*question.derived, translate);
    }
    const experiment::Wording& given = question.given;
    return given.en.empty() || (isChinese && !given.zh.empty()) ? given.zh : given.en;
}

} // namespace lockstep::analysis
