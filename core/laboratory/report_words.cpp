#include "laboratory/report_words.h"

#include "base/text.h"
#include "base/translate.h"
#include "experiment/variant_name.h"
#include "laboratory/counted_variants.h"
#include "language/shown_names.h"

#include <algorithm>
#include <functional>

namespace lockstep::laboratory {

const std::string& ReportWords::inLanguage(const Wording& wording) const
{
    return experiment::textOf(wording, m_source.language == report::Language::Chinese);
}

std::string ReportWords::numberOf(std::string_view step) const
{
    const auto found = std::ranges::find(m_laboratory.steps, step, &Step::id);
    return std::to_string(found - m_laboratory.steps.begin() + 1);
}

std::string ReportWords::resultsOf(std::string_view experiment) const
{
    return m_source.say(LS_TR("Report", "Results of step %1; with repeats, means and 95 % confidence intervals"),
        {numberOf(experiment)});
}

std::string ReportWords::shownName(std::string_view step, const std::string& name) const
{
    const ExperimentStep* experiment = m_laboratory.experiment(step);
    if (experiment == nullptr) {
        return name;
    }
    const auto& variants = experiment->spec.variants;
    const auto found = std::ranges::find(variants, name, &experiment::Variant::name);
    return found != variants.end()          ? language::shownName(experiment->spec.experiment, name, found->values)
        : experiment->spec.variants.empty() ? inLanguage(experiment->spec.about.title)
                                            : name;
}

std::string ReportWords::sentenceOf(const analysis::Finding& finding) const
{
    return analysis::sentence(finding, [this](std::string_view text) {
        for (const char* context : {"Findings", "Parameters"}) {
            if (std::string found = m_source.say(context, text); found != text) {
                return found;
            }
        }
        return m_source.say("Figures", text);
    });
}

std::string ReportWords::judgedText(Judgement judgement, const analysis::Finding& finding) const
{
    const std::string measured = sentenceOf(finding);
    switch (judgement) {
    case Judgement::NotMeasured:
        break;
    case Judgement::Holds:
        return m_source.say(LS_TR("Report", "Holds. %1"), {measured});
    case Judgement::DoesNotHold:
        return m_source.say(LS_TR("Report", "Does not hold. %1"), {measured});
    case Judgement::CannotBeTold:
        return m_source.say(LS_TR("Report", "Cannot be told. %1"), {measured});
    }
    return measured;
}

std::string ReportWords::wordOf(Judgement judgement) const
{
    switch (judgement) {
    case Judgement::NotMeasured:
        break;
    case Judgement::Holds:
        return m_source.say(LS_TR("Report", "holds"));
    case Judgement::DoesNotHold:
        return m_source.say(LS_TR("Report", "does not hold"));
    case Judgement::CannotBeTold:
        return m_source.say(LS_TR("Report", "cannot be told"));
    }
    return m_source.say(LS_TR("Report", "not measured"));
}

std::string ReportWords::orderText(const std::vector<std::string>& variants, const Reference& of) const
{
    return listed(
        variants, [&](const std::string& name) { return shownName(of.step, name); }, " < ");
}

std::string ReportWords::predictedText(const Prediction& prediction, const PredictionStep& step) const
{
    const Reference& of = step.of;
    if (const auto* direction = std::get_if<DirectionPrediction>(&prediction.value)) {
        const std::string& own = inLanguage(direction->direction == Direction::Lower ? step.lower : step.higher);
        return direction->direction != Direction::Same && !own.empty() ? own
            : direction->direction == Direction::Lower                 ? m_source.say(LS_TR("Report", "lower"))
            : direction->direction == Direction::Higher                ? m_source.say(LS_TR("Report", "higher"))
                                                                       : m_source.say(LS_TR("Report", "the same"));
    }
    if (const auto* order = std::get_if<OrderPrediction>(&prediction.value)) {
        return orderText(order->variants, of);
    }
    if (const auto* number = std::get_if<NumberPrediction>(&prediction.value)) {
        const Statistic statistic = statisticOf(of);
        return m_source.say(statistic == Statistic::Ratio ? LS_TR("Report", "%1 times, from %2 to %3")
                : statistic == Statistic::Difference      ? LS_TR("Report", "%1 points, from %2 to %3")
                                                          : LS_TR("Report", "%1, from %2 to %3"),
            {numberText(of, number->best), numberText(of, number->low), numberText(of, number->high)});
    }
    return m_source.say(LS_TR("Report", "a drawn curve"));
}

std::string ReportWords::checkedText(const std::vector<CheckedCode>& checks) const
{
    if (checks.empty()) {
        return m_source.say(LS_TR("Report", "Code not checked."));
    }
    const bool isRight = std::ranges::any_of(checks, &CheckedCode::isRight);
    if (checks.size() == 1) {
        return m_source.say(isRight ? LS_TR("Report", "Code right on the student's computer, at the first check.")
                                    : LS_TR("Report", "Code not right yet on the student's computer, after 1 check."));
    }
    return m_source.say(isRight ? LS_TR("Report", "Code right on the student's computer, after %1 checks.")
                                : LS_TR("Report", "Code not right yet on the student's computer, after %1 checks."),
        {std::to_string(checks.size())});
}

} // namespace lockstep::laboratory
