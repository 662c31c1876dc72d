#include "laboratory/grading/class_figures.h"

#include "analysis/figures/figure.h"
#include "analysis/figures/figure_estimate.h"
#include "base/translate.h"
#include "laboratory/counted_variants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace lockstep::laboratory::grading {

namespace {

constexpr std::string_view StandardFigure = "final_loss";

/// The figures that predictions of this experiment are about; without any the final loss.
std::vector<std::string> figuresOf(const Laboratory& laboratory, std::string_view experiment)
{
    std::vector<std::string> names;
    for (const Step* step : laboratory.predictionsOf(experiment)) {
        const std::string& figure = step->as<PredictionStep>()->of.figure;
        if (!figure.empty() && std::ranges::find(names, figure) == names.end()) {
            names.push_back(figure);
        }
    }
    return names.empty() ? std::vector<std::string>{std::string(StandardFigure)} : names;
}

/// The direction that the runs give: the prediction of it holds. Empty: it cannot be told.
std::string measuredDirection(const Step& step, std::span<const analysis::RunRecord> runs)
{
    for (const Direction direction : {Direction::Lower, Direction::Higher, Direction::Same}) {
        if (outcomeOf({DirectionPrediction{direction}, {}}, step, runs).judgement == Judgement::Holds) {
            return std::string(nameOf(direction));
        }
    }
    return {};
}

/// What was measured is known then, but not to be trusted.
bool isDoubted(const Reference& of, std::span<const analysis::RunRecord> runs)
{
    const analysis::Figure* figure = analysis::findFigure(of.figure);
    if (figure == nullptr) {
        return false;
    }
    const CountedPair pair = countedPair(runs, of.variant, of.against, *figure, Settings::First);
    return doubtOf({}, *figure, std::array{pair.variant, pair.against}).has_value();
}

void addPrediction(PredictedBesideMeasured& to, const Step& step, const Prediction& prediction,
    std::span<const analysis::RunRecord> runs)
{
    const Outcome outcome = outcomeOf(prediction, step, runs);
    if (const auto* number = std::get_if<NumberPrediction>(&prediction.value)) {
        if (!isDoubted(step.as<PredictionStep>()->of, runs) && std::isfinite(outcome.measured)
            && std::isfinite(number->best)) {
            to.predictedNumbers.push_back(number->best);
            to.measuredNumbers.push_back(outcome.measured);
        }
        return;
    }
    std::string predicted;
    std::string measured;
    if (const auto* direction = std::get_if<DirectionPrediction>(&prediction.value)) {
        predicted = nameOf(direction->direction);
        measured = measuredDirection(step, runs);
    } else if (const auto* order = std::get_if<OrderPrediction>(&prediction.value);
               order != nullptr && !order->variants.empty() && !outcome.order.empty()) {
        predicted = order->variants.front();
        measured = outcome.order.front();
    }
    if (!measured.empty()) {
        ++to.predicted[predicted];
        ++to.measured[measured];
    }
}

void addFigures(FinalFigures& to, const Laboratory& laboratory, std::span<const analysis::RunRecord> runs)
{
    const analysis::Figure* figure = analysis::findFigure(to.figure);
    const ExperimentStep* step = laboratory.experiment(to.step);
    const auto expected = experiment::expand(step->spec);
    if (figure == nullptr || !expected) {
        return;
    }
    std::map<std::string, CountedVariant> variants;
    for (const experiment::RunSpec& each : *expected) {
        CountedVariant variant = countedVariant(runs, each.name, *figure);
        if (!variant.runs.empty()) {
            variants.try_emplace(each.name, std::move(variant));
        }
    }
    std::vector<CountedVariant> all;
    std::ranges::transform(variants, std::back_inserter(all), [](const auto& each) { return each.second; });
    if (doubtOf({}, *figure, all)) { // no mark depends on it, and the class would compare with it
        return;
    }
    for (const auto& [name, variant] : variants) {
        to.values[name].push_back(figure->scale * estimateOf(*figure, variant.runs).mean);
    }
}

} // namespace

ClassFigures emptyFigures(const Laboratory& laboratory)
{
    ClassFigures figures;
    for (const Step& step : laboratory.steps) {
        if (step.is<PredictionStep>()) {
            figures.predictions.push_back({step.id, {}, {}, {}, {}});
        } else if (step.is<ExperimentStep>()) {
            for (const std::string& name : figuresOf(laboratory, step.id)) {
                figures.figures.push_back({step.id, name, {}});
            }
        }
    }
    return figures;
}

void addWork(ClassFigures& figures, const Laboratory& laboratory, const ReadWork& work)
{
    const WorkState& state = work.handIn.state;
    for (PredictedBesideMeasured& each : figures.predictions) {
        const Step* step = laboratory.find(each.step);
        if (const SealedPrediction* sealed = state.sealOf(each.step)) {
            addPrediction(each, *step, sealed->prediction, runsOfStep(work.runs, state, subjectOf(*step)));
        }
    }
    for (FinalFigures& each : figures.figures) {
        addFigures(each, laboratory, runsOfStep(work.runs, state, each.step));
    }
}

} // namespace lockstep::laboratory::grading
