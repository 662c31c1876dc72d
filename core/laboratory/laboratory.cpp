#include "laboratory/laboratory.h"

#include "laboratory/code/exercise.h"

#include "analysis/figures/figure.h"
#include "base/translate.h"
#include "experiment/parameter.h"

#include <QCryptographicHash>

#include <algorithm>

namespace lockstep::laboratory {

namespace {

constexpr std::uint64_t SeedModulus = std::uint64_t{1} << 31u;

bool isNamedBy(const std::vector<std::string>& names, std::string_view parameter)
{
    return std::ranges::any_of(names, [parameter](const std::string& name) {
        return parameter == name || (name.ends_with('.') && parameter.starts_with(name));
    });
}

template <typename Content>
std::vector<const Step*> stepsAbout(const std::vector<Step>& steps, std::string_view experimentStep)
{
    std::vector<const Step*> found;
    for (const Step& step : steps) {
        if (step.is<Content>() && subjectOf(step) == experimentStep) {
            found.push_back(&step);
        }
    }
    return found;
}

} // namespace

Statistic statisticOf(const Reference& of)
{
    if (of.statistic) {
        return *of.statistic;
    }
    const analysis::Figure* figure = analysis::findFigure(of.figure);
    const bool isShare = figure != nullptr && figure->kind == analysis::FigureKind::Share;
    return of.against.empty() ? Statistic::Mean : isShare ? Statistic::Difference : Statistic::Ratio;
}

std::string_view subjectOf(const Step& step)
{
    if (const auto* prediction = step.as<PredictionStep>()) {
        return prediction->of.step;
    }
    if (const auto* question = step.as<QuestionStep>()) {
        return question->about.step;
    }
    const auto* claim = step.as<ClaimStep>();
    return claim != nullptr ? std::string_view(claim->about.step) : std::string_view();
}

const Step* Laboratory::find(std::string_view step) const
{
    const auto found = std::ranges::find(steps, step, &Step::id);
    return found == steps.end() ? nullptr : &*found;
}

const ExperimentStep* Laboratory::experiment(std::string_view step) const
{
    const Step* found = find(step);
    return found == nullptr ? nullptr : found->as<ExperimentStep>();
}

std::vector<const Step*> Laboratory::predictionsOf(std::string_view experimentStep) const
{
    return stepsAbout<PredictionStep>(steps, experimentStep);
}

std::vector<const Step*> Laboratory::questionsAbout(std::string_view experimentStep) const
{
    return stepsAbout<QuestionStep>(steps, experimentStep);
}

std::string normalizedNumber(std::string_view number)
{
    return QString::fromUtf8(number.data(), static_cast<qsizetype>(number.size()))
        .normalized(QString::NormalizationForm_KC)
        .trimmed()
        .toStdString();
}

bool isToRead(const Step& step)
{
    const auto* code = step.as<CodeStep>();
    return step.is<TextStep>() || (code != nullptr && exerciseOf(*code) == nullptr);
}

std::int64_t seedOf(std::string_view number)
{
    const std::string text = normalizedNumber(number);
    if (text.empty()) {
        return 0;
    }
    const QByteArray hash
        = QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256).left(8);
    std::uint64_t value = 0;
    for (const char byte : hash) {
        value = (value << 8u) | static_cast<unsigned char>(byte);
    }
    return static_cast<std::int64_t>(value % SeedModulus);
}

bool isFree(const ExperimentStep& step, std::string_view parameter)
{
    return std::ranges::find(step.free, parameter) != step.free.end();
}

bool isHidden(const ExperimentStep& step, std::string_view parameter)
{
    return isNamedBy(step.hidden, parameter);
}

Result<experiment::Spec> specOf(
    const Step& step, std::string_view number, std::span<const experiment::Override> overrides)
{
    const auto* content = step.as<ExperimentStep>();
    if (content == nullptr) {
        return failure(LS_TR("Messages", "%1 is not an experiment step"), {verbatim(step.id)});
    }
    for (const experiment::Override& each : overrides) {
        if (!isFree(*content, each.name)) {
            return refusal(each.name, LS_TR("Messages", "the laboratory has locked it; free: %1"),
                {verbatim(content->free.empty() ? "-" : listed(content->free))});
        }
    }
    experiment::Spec spec = content->spec;
    if (content->isSeededByNumber) {
        if (normalizedNumber(number).empty()) {
            return failure(LS_TR("Messages", "enter your number first: the seed of these runs is made of it"));
        }
        // Repeats add to the seed, which must stay in the parameter's range.
        const std::string& name = nameOf(&experiment::TrainSettings::seed);
        const auto most = static_cast<std::int64_t>(experiment::findParameter(name)->range.maximum);
        spec.base[name] = std::min(seedOf(number), most - spec.repeats);
    }
    return experiment::customise(std::move(spec), overrides, {});
}

} // namespace lockstep::laboratory
