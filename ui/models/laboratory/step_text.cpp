#include "ui/models/laboratory/step_text.h"

#include "analysis/figures/figure.h"
#include "language/language.h"
#include "language/wording.h"
#include "plan/steps.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/titles.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using laboratory::PredictionForm;
using laboratory::StepState;

namespace {

constexpr double LowestLoss = 0.01; ///< of a logarithmic axis
constexpr double MostSeconds = 30.0; ///< of a time axis: how long the run takes is not known before

/// Texts of laboratories in the window.
struct LabTexts {
    Q_DECLARE_TR_FUNCTIONS(LaboratoryText)
};

QString xTitleOf(const std::string& x)
{
    return x == "epoch"              ? LabTexts::tr("Epoch")
        : x == "seconds"             ? LabTexts::tr("Time (s)")
        : x == laboratory::BytesAxis ? LabTexts::tr("Message size")
                                     : LabTexts::tr("Step");
}

QString yTitleOf(const std::string& chart)
{
    return chart == "accuracy"            ? LabTexts::tr("Accuracy (%)")
        : chart == "train-loss"           ? LabTexts::tr("Training loss")
        : chart == "test-loss"            ? LabTexts::tr("Test loss")
        : chart == laboratory::SweepChart ? LabTexts::tr("Time per call (ms)")
                                          : LabTexts::tr("Loss");
}

std::vector<experiment::RunSpec> firstRepeats(const laboratory::ExperimentStep& experiment)
{
    experiment::Spec spec = experiment.spec;
    spec.repeats = 1;
    auto runs = experiment::expand(spec);
    return runs ? *std::move(runs) : std::vector<experiment::RunSpec>();
}

double lengthOf(const experiment::RunSpec& run, const std::string& x)
{
    if (x == "seconds") {
        return MostSeconds;
    }
    const plan::StepPlan steps = plan::stepPlan(run, std::max<std::int64_t>(1, experiment::knownTrainSamples(run)));
    const auto total = static_cast<double>(std::max<std::int64_t>(1, steps.totalSteps));
    return x == "epoch" ? total / static_cast<double>(std::max<std::int64_t>(1, steps.stepsPerEpoch)) : total;
}

/// The decades in which calls over links of this latency and bandwidth take their time, for the sweep's sizes.
void setSweepAxes(CurveAxes& axes, const experiment::RunSpec& run)
{
    constexpr double MsPerUs = 1e-3;
    constexpr double BytesPerMs = 125.0; ///< of 1 Mbit/s
    constexpr double MbpsOfMemory = 8000.0; ///< about what ranks of one machine send each other
    const experiment::Settings& settings = *run.settings;
    axes.isInBytes = true;
    axes.xLow = static_cast<double>(settings.sweep.minBytes);
    axes.xHigh = static_cast<double>(std::max(settings.sweep.maxBytes, settings.sweep.minBytes + 1));
    const double latency = std::max(settings.link.latencyUs, 1.0) * MsPerUs;
    const double rate = settings.link.bandwidthMbps > 0.0 ? settings.link.bandwidthMbps : MbpsOfMemory;
    const auto world = experiment::worldSizeOf(run);
    const double ranks = world ? *world : 2.0;
    axes.yLow = std::pow(10.0, std::floor(std::log10(latency)));
    axes.yHigh = std::pow(10.0, std::ceil(std::log10(ranks * (latency + axes.xHigh / (rate * BytesPerMs)))));
}

} // namespace

double CurveAxes::partOf(double x) const
{
    return isInBytes ? std::log(std::max(x, xLow) / xLow) / std::log(xHigh / xLow) : (x - xLow) / (xHigh - xLow);
}

double CurveAxes::xAt(double part) const
{
    return isInBytes ? xLow * std::pow(xHigh / xLow, part) : xLow + part * (xHigh - xLow);
}

QString stepTitle(const laboratory::Step& step, int number)
{
    return QStringLiteral("%1. %2").arg(number).arg(shownName(wordingText(step.title)));
}

QString stateText(const laboratory::Step& step, StepState state)
{
    switch (state) {
    case StepState::Done:
        return step.is<laboratory::PredictionStep>() ? LabTexts::tr("sealed")
            : step.is<laboratory::ExperimentStep>()  ? LabTexts::tr("has run")
            : step.is<laboratory::QuestionStep>()    ? LabTexts::tr("answered")
            : step.is<laboratory::ClaimStep>()       ? LabTexts::tr("claimed")
            : !laboratory::isToRead(step)            ? LabTexts::tr("right")
                                                     : LabTexts::tr("read");
    case StepState::Waiting:
        return LabTexts::tr("predict first");
    case StepState::Ready:
        return LabTexts::tr("ready to run");
    case StepState::Open:
        break;
    }
    const QString open = step.is<laboratory::PredictionStep>() ? LabTexts::tr("to predict")
        : step.is<laboratory::ExperimentStep>()                ? LabTexts::tr("to run")
        : step.is<laboratory::QuestionStep>()                  ? LabTexts::tr("to answer")
        : step.is<laboratory::ClaimStep>()                     ? LabTexts::tr("to claim")
        : !laboratory::isToRead(step)                          ? LabTexts::tr("to write")
                                                               : LabTexts::tr("to read");
    return step.isOptional ? LabTexts::tr("%1, optional", "state of a step").arg(open) : open;
}

QString stepHeading(const laboratory::Step& step)
{
    const QString title = shownName(wordingText(step.title));
    return step.isOptional ? LabTexts::tr("%1 (optional)", "title of a step").arg(title) : title;
}

QString stateSign(StepState state)
{
    return state == StepState::Done   ? QStringLiteral("✓")
        : state == StepState::Ready   ? QStringLiteral("▶")
        : state == StepState::Waiting ? QStringLiteral("…")
                                      : QStringLiteral("○");
}

QString figureTitle(const std::string& figure)
{
    const analysis::Figure* found = analysis::findFigure(figure);
    return found == nullptr || found->label.empty()
        ? shownName(figure)
        : QString::fromStdString(language::translated("Figures", found->label));
}

QString unitOf(const laboratory::Reference& of)
{
    switch (laboratory::statisticOf(of)) {
    case laboratory::Statistic::Ratio:
        return LabTexts::tr("times");
    case laboratory::Statistic::Difference:
        return LabTexts::tr("points");
    case laboratory::Statistic::Mean:
        break;
    }
    const analysis::Figure* figure = analysis::findFigure(of.figure);
    if (figure == nullptr) {
        return {};
    }
    return figure->kind == analysis::FigureKind::Share ? QStringLiteral("%")
        : figure->unit.empty()                         ? QString()
                               : QString::fromStdString(language::translated("Figures", figure->unit));
}

std::vector<std::pair<std::string, QString>> variantTitles(const laboratory::ExperimentStep& experiment)
{
    std::vector<std::pair<std::string, QString>> titles;
    for (const experiment::RunSpec& run : firstRepeats(experiment)) {
        titles.emplace_back(run.name, variantTitle(run));
    }
    return titles;
}

QString variantTitleOf(const laboratory::ExperimentStep& experiment, const std::string& name)
{
    for (const auto& [each, title] : variantTitles(experiment)) {
        if (each == name) {
            return title;
        }
    }
    return shownName(name);
}

namespace {

QString askedText(const laboratory::PredictionStep& prediction, const laboratory::ExperimentStep& experiment)
{
    const QString figure = figureTitle(prediction.of.figure);
    const QString variant = variantTitleOf(experiment, prediction.of.variant);
    const QString against = variantTitleOf(experiment, prediction.of.against);
    switch (prediction.form) {
    case PredictionForm::Direction:
        return LabTexts::tr("%1 of %2, against that of %3:").arg(figure, variant, against);
    case PredictionForm::Order:
        return LabTexts::tr("%1, from the lowest to the highest:").arg(figure);
    case PredictionForm::Curve:
        return LabTexts::tr("Draw the %1 of %2 on the axes beside, with the mouse or the arrow keys.")
            .arg(yTitleOf(prediction.chart).toLower(), variant);
    case PredictionForm::Number:
        break;
    }
    switch (laboratory::statisticOf(prediction.of)) {
    case laboratory::Statistic::Ratio:
        return LabTexts::tr("%1: how many times as large for %2 as for %3?").arg(figure, variant, against);
    case laboratory::Statistic::Difference:
        return LabTexts::tr("%1: how many points is %2 above %3?").arg(figure, variant, against);
    case laboratory::Statistic::Mean:
        break;
    }
    return LabTexts::tr("%1 of %2:").arg(figure, variant);
}

} // namespace

QString predictionQuestion(const laboratory::PredictionStep& prediction, const laboratory::ExperimentStep& experiment)
{
    return withoutStraySpaces(askedText(prediction, experiment));
}

QString withoutStraySpaces(QString text)
{
    static const QRegularExpression Stray(
        QStringLiteral("(?<=[\\x{3000}-\\x{9FFF}\\x{FF00}-\\x{FFEF}]) +(?=[\\x{3000}-\\x{9FFF}\\x{FF00}-\\x{FFEF}])"));
    return text.remove(Stray);
}

CurveAxes curveAxes(const laboratory::PredictionStep& prediction, const laboratory::ExperimentStep& experiment)
{
    CurveAxes axes{xTitleOf(prediction.x), yTitleOf(prediction.chart)};
    axes.isLogarithmic = prediction.isLogarithmic;
    const std::vector<experiment::RunSpec> runs = firstRepeats(experiment);
    const auto run = std::ranges::find(runs, prediction.of.variant, &experiment::RunSpec::name);
    double classes = 10.0;
    if (run != runs.end() && prediction.chart == laboratory::SweepChart) {
        setSweepAxes(axes, *run);
        return axes;
    }
    if (run != runs.end()) {
        axes.xHigh = lengthOf(*run, prediction.x);
        classes = static_cast<double>(std::max<std::int64_t>(2, experiment::dataFactsOf(*run).classes));
    }
    const bool isAccuracy = prediction.chart == "accuracy";
    // A net that guesses among n classes has a loss of ln n.
    axes.yHigh = isAccuracy ? 100.0 : std::ceil(1.2 * std::log(classes) * 2.0) / 2.0;
    axes.yLow = !prediction.isLogarithmic ? 0.0 : isAccuracy ? 1.0 : LowestLoss;
    return axes;
}

QString judgementText(laboratory::Judgement judgement)
{
    switch (judgement) {
    case laboratory::Judgement::Holds:
        return LabTexts::tr("Holds");
    case laboratory::Judgement::DoesNotHold:
        return LabTexts::tr("Does not hold");
    case laboratory::Judgement::CannotBeTold:
        return LabTexts::tr("Cannot be told");
    case laboratory::Judgement::NotMeasured:
        break;
    }
    return LabTexts::tr("Not measured yet");
}

QString judgementSentence(laboratory::Judgement judgement, const analysis::Finding& found)
{
    const QString judged = judgementText(judgement);
    const QString sentence = withoutStraySpaces(QString::fromStdString(language::findingSentence(found)));
    return sentence.isEmpty()         ? judged
        : sentence.startsWith(judged) ? sentence
                                      : LabTexts::tr("%1. %2", "judgement and sentence").arg(judged, sentence);
}

QString keyText(
    const laboratory::LaboratoryKey& key, const laboratory::Step& step, const laboratory::Laboratory& laboratory)
{
    const auto found = key.steps.find(step.id);
    if (found == key.steps.end()) {
        return {};
    }
    const laboratory::KeyEntry& entry = found->second;
    QStringList lines;
    if (const std::string answer = shownAnswer(laboratory, step, entry); !answer.empty()) {
        lines += LabTexts::tr("Key: %1").arg(shownText(answer));
    }
    if (entry.tolerance) {
        lines += LabTexts::tr("Tolerance: %1 %").arg(*entry.tolerance * 100.0);
    }
    if (entry.points > 0.0) {
        lines += LabTexts::tr("Points: %1").arg(entry.points);
    }
    if (const QString rubric = wordingText(entry.rubric); !rubric.isEmpty()) {
        lines += LabTexts::tr("Rubric: %1").arg(rubric);
    }
    return lines.join(u'\n');
}

QString missingText(const laboratory::Missing& missing, const laboratory::Laboratory& laboratory)
{
    const QString what = QString::fromStdString(language::translated("Laboratory", laboratory::textOf(missing.kind)));
    const laboratory::Step* step = laboratory.find(missing.step);
    return step == nullptr ? what : LabTexts::tr("%1: %2", "step: what is missing").arg(wordingText(step->title), what);
}

} // namespace lockstep::ui
