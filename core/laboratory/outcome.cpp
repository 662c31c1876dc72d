#include "laboratory/outcome.h"

#include "analysis/answers/standing.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/numbers.h"
#include "analysis/statistics/statistics.h"
#include "base/translate.h"
#include "laboratory/counted_variants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace lockstep::laboratory {

namespace {

using analysis::Certainty;
using analysis::Figure;
using analysis::FigureDifference;
using analysis::RunRecord;
using enum Judgement;

using Runs = std::span<const RunRecord>;

constexpr double Percent = 100.0;
/// Of a drawn curve to the span of the measured one: up to here it holds.
constexpr double CloseCurve = 0.1;
/// Of sentences: analysis::Finding::kind.
constexpr std::string_view PredictionKind = "laboratory.prediction";

analysis::Finding findingOf(const Figure& figure, std::string_view pattern, std::vector<std::string> arguments)
{
    analysis::Finding finding;
    finding.kind = PredictionKind;
    finding.pattern = pattern;
    finding.arguments = std::move(arguments);
    finding.arguments.insert(finding.arguments.begin(), std::string(figure.label));
    finding.labels = {0};
    return finding;
}

Outcome notMeasured(std::string_view label)
{
    Outcome outcome;
    outcome.sentence.kind = PredictionKind;
    outcome.sentence.pattern = LS_TR("Findings", "%1: there are no finished runs with it yet.");
    outcome.sentence.arguments = {std::string(label)};
    outcome.sentence.labels = {0};
    return outcome;
}

/// What was measured is kept, but nothing is judged by it.
void takeDoubt(Outcome& outcome, std::optional<analysis::Finding> doubt)
{
    if (doubt) {
        outcome.judgement = CannotBeTold;
        outcome.moreRepeats = 0;
        outcome.order.clear();
        outcome.pairsTold = 0;
        outcome.pairsAgreeing = 0;
        outcome.sentence = *std::move(doubt);
    }
}

Outcome outcomeOfDirection(const DirectionPrediction& prediction, const Reference& of, const Figure& figure, Runs runs)
{
    const CountedPair pair = countedPair(runs, of.variant, of.against, figure, Settings::First);
    if (pair.variant.runs.empty() || pair.against.runs.empty()) {
        return notMeasured(figure.label);
    }
    Outcome outcome;
    const FigureDifference difference = differenceOf(figure, pair.against.runs, pair.variant.runs);
    const Certainty certainty = certaintyOf(figure, difference);
    const Direction measured = certainty == Certainty::Close ? Direction::Same
        : difference.difference < 0.0                        ? Direction::Lower
                                                             : Direction::Higher;
    outcome.judgement = certainty == Certainty::Unknown ? CannotBeTold
        : measured == prediction.direction              ? Holds
                                                        : DoesNotHold;
    outcome.measured = Percent * difference.difference;
    outcome.low = Percent * difference.low;
    outcome.high = Percent * difference.high;
    outcome.repeats = std::min(pair.variant.runs.size(), pair.against.runs.size());
    outcome.sentence = comparisonOf(PredictionKind, figure, pair, difference, outcome.judgement);
    outcome.moreRepeats = outcome.sentence.moreRepeats;
    takeDoubt(outcome, doubtOf(PredictionKind, figure, std::array{pair.variant, pair.against}));
    return outcome;
}

/// One pair of an order as measured.
struct OrderedPair {
    std::string text; ///< `a / b 1.30 [0.95, 1.78]`
    bool isTold = false; ///< by its own interval
    bool isAgreeing = false;
    bool isContraryAtOnce = false; ///< by intervals of all pairs that hold at once
};

OrderedPair orderedPair(
    const Figure& figure, const CountedVariant& before, const CountedVariant& after, std::size_t pairs)
{
    const FigureDifference difference = differenceOf(figure, before.runs, after.runs);
    const FigureDifference widened = differenceOf(figure, before.runs, after.runs, pairs);
    OrderedPair pair;
    pair.isTold = certaintyOf(figure, difference) == Certainty::Apart;
    pair.isAgreeing = pair.isTold && difference.difference > 0.0;
    pair.isContraryAtOnce = certaintyOf(figure, widened) == Certainty::Apart && widened.difference < 0.0;
    pair.text = after.name + (difference.isInPoints ? " − " : " / ") + before.name + " "
        + (difference.isInPoints ? differenceWords(figure, difference).amount : ratioText(difference));
    return pair;
}

std::string_view patternOfOrder(const Outcome& outcome, bool isInPoints)
{
    switch (outcome.judgement) {
    case Holds:
        return LS_TR("Findings", "%1 puts all %4 pairs in your order.");
    case DoesNotHold:
        return isInPoints
            ? LS_TR("Findings", "%1 puts %2 of %3 pairs that can be told in your order. Against it, in points: %6.")
            : LS_TR("Findings", "%1 puts %2 of %3 pairs that can be told in your order. Against it, as ratios: %6.");
    case NotMeasured:
    case CannotBeTold:
        break;
    }
    if (outcome.pairsTold == outcome.pairs) { // some are against it, but not for sure
        return LS_TR("Findings", "%1 puts %2 of %4 pairs in your order. With so many pairs, the others may be chance.");
    }
    return isInPoints
        ? LS_TR("Findings", "%1 tells %3 of %4 pairs apart, %2 of them in your order. Not told, in points: %5.")
        : LS_TR("Findings", "%1 tells %3 of %4 pairs apart, %2 of them in your order. Not told, as ratios: %5.");
}

/// In the order of the means, and what of the student's order is told. It holds where each pair agrees, by its own
/// interval; one pair against it is enough, so these intervals hold at once.
Outcome outcomeOfOrder(const OrderPrediction& prediction, const Figure& figure, Runs runs)
{
    std::vector<CountedVariant> variants;
    for (const std::string& name : prediction.variants) {
        variants.push_back(countedVariant(runs, name, figure, Settings::First));
    }
    const auto hasNone = [](const CountedVariant& each) { return each.runs.empty(); };
    if (variants.empty() || std::ranges::any_of(variants, hasNone)) { // a journal may name none
        return notMeasured(figure.label);
    }
    Outcome outcome;
    const std::size_t n = variants.size();
    outcome.pairs = n * (n - 1) / 2;
    outcome.repeats = variants.front().runs.size();
    std::vector<RunId> ids;
    std::vector<std::string> untold;
    std::vector<std::string> contrary;
    bool isContrary = false;
    std::size_t more = 0;
    for (std::size_t i = 0; i < n; ++i) {
        outcome.repeats = std::min(outcome.repeats, variants[i].runs.size());
        std::ranges::copy(variants[i].ids(), std::back_inserter(ids));
        for (std::size_t j = i + 1; j < n; ++j) {
            const OrderedPair pair = orderedPair(figure, variants[i], variants[j], outcome.pairs);
            outcome.pairsTold += pair.isTold ? 1 : 0;
            outcome.pairsAgreeing += pair.isAgreeing ? 1 : 0;
            isContrary = isContrary || pair.isContraryAtOnce;
            more = std::max(
                more, analysis::moreRepeatsFor(figure, differenceOf(figure, variants[i].runs, variants[j].runs)));
            if (!pair.isTold || !pair.isAgreeing) {
                (pair.isTold ? contrary : untold).push_back(pair.text);
            }
        }
    }
    outcome.order = prediction.variants;
    std::ranges::stable_sort(outcome.order, {}, [&](const std::string& name) {
        const auto place = std::ranges::find(prediction.variants, name) - prediction.variants.begin();
        return estimateOf(figure, variants[static_cast<std::size_t>(place)].runs).mean;
    });
    outcome.judgement = isContrary ? DoesNotHold : outcome.pairsAgreeing == outcome.pairs ? Holds : CannotBeTold;
    outcome.moreRepeats = outcome.judgement == CannotBeTold ? more : 0;
    outcome.sentence = findingOf(figure, patternOfOrder(outcome, figure.kind == analysis::FigureKind::Share),
        {std::to_string(outcome.pairsAgreeing), std::to_string(outcome.pairsTold), std::to_string(outcome.pairs),
            analysis::fewOf(untold), analysis::fewOf(contrary)});
    outcome.sentence.moreRepeats = outcome.moreRepeats;
    outcome.sentence.runs = ids;
    takeDoubt(outcome, doubtOf(PredictionKind, figure, variants));
    return outcome;
}

/// The measured value with its interval, and how it is written.
struct MeasuredNumber {
    analysis::MeanEstimate estimate{analysis::NotMeasured, analysis::NotMeasured, analysis::NotMeasured, 0};
    std::size_t repeats = 0;
    std::vector<RunId> runs{};
    std::optional<analysis::Finding> doubt{};
};

MeasuredNumber measuredNumber(const Reference& of, const Figure& figure, Runs runs)
{
    const CountedVariant variant = countedVariant(runs, of.variant, figure, Settings::First);
    const Statistic statistic = statisticOf(of);
    MeasuredNumber measured;
    if (variant.runs.empty()) {
        return measured;
    }
    measured.repeats = variant.runs.size();
    measured.runs = variant.ids();
    if (statistic == Statistic::Mean) {
        measured.estimate = estimateOf(figure, variant.runs);
        for (double* value : {&measured.estimate.mean, &measured.estimate.low, &measured.estimate.high}) {
            *value *= figure.scale;
        }
        measured.doubt = doubtOf(PredictionKind, figure, std::array{variant});
        return measured;
    }
    const CountedPair pair = countedPair(runs, of.variant, of.against, figure, Settings::First);
    const CountedVariant& against = pair.against;
    const FigureDifference difference
        = against.runs.empty() ? FigureDifference() : differenceOf(figure, against.runs, variant.runs);
    measured.doubt = doubtOf(PredictionKind, figure, std::array{pair.variant, against});
    const auto value
        = [&](double relative) { return statistic == Statistic::Ratio ? 1.0 + relative : Percent * relative; };
    measured.estimate = {value(difference.difference), value(difference.low), value(difference.high), difference.n};
    measured.repeats = std::min(variant.runs.size(), against.runs.size());
    const std::vector<RunId> others = against.ids();
    measured.runs.insert(measured.runs.end(), others.begin(), others.end());
    return measured;
}

/// `isUntold`: the interval lies in part beyond the student's range, at %8.
std::string_view patternOfNumber(Statistic statistic, bool hasInterval, bool isUntold)
{
    switch (statistic) {
    case Statistic::Ratio:
        return isUntold   ? LS_TR("Findings",
                     "%1: measured %2 times (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5. The "
                       "interval reaches beyond your %8.")
            : hasInterval ? LS_TR("Findings",
                  "%1: measured %2 times (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5.")
                          : LS_TR("Findings", "%1: measured %2 times, predicted %3, from %4 to %5.");
    case Statistic::Difference:
        return isUntold   ? LS_TR("Findings",
                     "%1: measured %2 points (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5. The "
                       "interval reaches beyond your %8.")
            : hasInterval ? LS_TR("Findings",
                  "%1: measured %2 points (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5.")
                          : LS_TR("Findings", "%1: measured %2 points, predicted %3, from %4 to %5.");
    case Statistic::Mean:
        break;
    }
    return isUntold ? LS_TR("Findings",
               "%1: measured %2 (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5. The interval "
               "reaches beyond your %8.")
        : hasInterval
        ? LS_TR("Findings", "%1: measured %2 (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5.")
        : LS_TR("Findings", "%1: measured %2, predicted %3, from %4 to %5.");
}

/// It holds where the whole interval is in the student's range, and does not where they have nothing in common.
Outcome outcomeOfNumber(const NumberPrediction& prediction, const Reference& of, const Figure& figure, Runs runs)
{
    const MeasuredNumber measured = measuredNumber(of, figure, runs);
    if (!std::isfinite(measured.estimate.mean)) {
        return notMeasured(figure.label);
    }
    Outcome outcome;
    outcome.measured = measured.estimate.mean;
    outcome.low = measured.estimate.low;
    outcome.high = measured.estimate.high;
    outcome.residual = outcome.measured - prediction.best;
    outcome.isInRange = prediction.low <= outcome.measured && outcome.measured <= prediction.high;
    const bool hasInterval = std::isfinite(outcome.low) && std::isfinite(outcome.high);
    const double low = hasInterval ? outcome.low : outcome.measured;
    const double high = hasInterval ? outcome.high : outcome.measured;
    outcome.judgement = prediction.low <= low && high <= prediction.high ? Holds
        : high < prediction.low || prediction.high < low                 ? DoesNotHold
                                                                         : CannotBeTold;
    outcome.repeats = measured.repeats;
    const auto text = [&](double value) { return numberText(of, value); };
    // In the digits of the others a narrow interval would be one number.
    const bool isShown = hasInterval && text(low) != text(high);
    const double bound = high > prediction.high ? prediction.high : prediction.low;
    outcome.sentence
        = findingOf(figure, patternOfNumber(statisticOf(of), isShown, isShown && outcome.judgement == CannotBeTold),
            {text(outcome.measured), text(prediction.best), text(prediction.low), text(prediction.high), text(low),
                text(high), text(bound)});
    outcome.sentence.runs = measured.runs;
    outcome.sentence.figures.emplace_back(std::string(figure.name), outcome.measured);
    takeDoubt(outcome, measured.doubt);
    return outcome;
}

/// A chart's curve of a run, and what turns its values into the chart's unit.
struct ChartCurve {
    std::string_view chart;
    analysis::Curve RunRecord::*curve; ///< nullptr: the measurements of collectives, by size
    double scale;
    double smoothing; ///< of batch losses, as the chart shows them
    std::string_view label;
};

constexpr double ChartSmoothing = 0.6;
constexpr double MsPerUs = 1e-3;
constexpr ChartCurve ChartCurves[] = {
    {"loss", &RunRecord::loss, 1.0, ChartSmoothing, LS_TR("Figures", "Batch loss")},
    {"accuracy", &RunRecord::accuracy, Percent, 0.0, LS_TR("Figures", "Test accuracy")},
    {"train-loss", &RunRecord::trainLoss, 1.0, 0.0, LS_TR("Figures", "Training loss")},
    {"test-loss", &RunRecord::testLoss, 1.0, 0.0, LS_TR("Figures", "Test loss")},
    {SweepChart, nullptr, MsPerUs, 0.0, LS_TR("Figures", "Time per call")},
};

/// Of one run, in the chart's unit.
std::vector<CurvePoint> curveOf(const PredictionStep& step, const ChartCurve& kind, const RunRecord& run)
{
    std::vector<CurvePoint> points;
    if (kind.curve == nullptr) {
        for (const analysis::CollectiveMeasurement& each : run.measurements) {
            const auto bytes = static_cast<double>(each.bytes);
            if (points.empty() || bytes > points.back().x) { // the sizes again in another buffer are left out
                points.push_back({bytes, kind.scale * each.p50Us});
            }
        }
        return points;
    }
    const analysis::Curve& curve = run.*kind.curve;
    const std::vector<double> values = analysis::smoothed(curve.value, kind.smoothing);
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double x = step.x == "epoch" ? curve.epoch[i]
            : step.x == "seconds"          ? curve.seconds[i]
                                           : static_cast<double>(curve.step[i]);
        points.push_back({x, kind.scale * values[i]});
    }
    return points;
}

/// The mean of the repeats at each place that all of them have.
std::vector<CurvePoint> measuredCurve(const PredictionStep& step, const ChartCurve& kind, const CountedVariant& variant)
{
    std::vector<CurvePoint> mean;
    for (std::size_t run = 0; run < variant.runs.size(); ++run) {
        const std::vector<CurvePoint> curve = curveOf(step, kind, *variant.runs[run]);
        mean.resize(run == 0 ? curve.size() : std::min(mean.size(), curve.size()));
        for (std::size_t i = 0; i < mean.size(); ++i) {
            mean[i].x += curve[i].x;
            mean[i].y += curve[i].y;
        }
    }
    const auto count = static_cast<double>(variant.runs.size());
    for (CurvePoint& point : mean) {
        point = {point.x / count, point.y / count};
    }
    return mean;
}

/// What is linear along the axes of a curve: the value or its logarithm.
struct CurveScale {
    bool isXLogarithmic = false;
    bool isYLogarithmic = false;

    [[nodiscard]] double alongX(double x) const { return isXLogarithmic ? std::log10(x) : x; }
    [[nodiscard]] double alongY(double y) const { return isYLogarithmic ? std::log10(y) : y; }
};

/// Of points with ascending x, between which it is straight on the axes; NaN outside.
double heightAt(std::vector<CurvePoint> points, double x, const CurveScale& scale)
{
    for (CurvePoint& point : points) {
        point = {scale.alongX(point.x), scale.alongY(point.y)};
    }
    x = scale.alongX(x);
    const auto after = std::ranges::lower_bound(points, x, {}, &CurvePoint::x);
    if (after == points.end() || (after == points.begin() && after->x > x)) {
        return analysis::NotMeasured;
    }
    if (after->x == x) {
        return after->y;
    }
    const CurvePoint& before = *(after - 1);
    return before.y + (after->y - before.y) * (x - before.x) / (after->x - before.x);
}

Outcome outcomeOfCurve(const CurvePrediction& prediction, const PredictionStep& step, Runs runs)
{
    const auto* kind = std::ranges::find(ChartCurves, step.chart, &ChartCurve::chart);
    const CountedVariant variant = countedVariant(runs, step.of.variant, Settings::First);
    if (kind == std::end(ChartCurves) || variant.runs.empty()) {
        return notMeasured(kind == std::end(ChartCurves) ? "" : kind->label);
    }
    Outcome outcome;
    outcome.curve = measuredCurve(step, *kind, variant);
    const CurveScale scale{step.x == BytesAxis, step.isLogarithmic};
    double squares = 0.0;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    std::size_t count = 0;
    for (const CurvePoint& point : outcome.curve) {
        const double measured = scale.alongY(point.y);
        const double difference = measured - heightAt(prediction.points, point.x, scale);
        if (std::isfinite(difference)) {
            squares += difference * difference;
            least = std::min(least, measured);
            most = std::max(most, measured);
            ++count;
        }
    }
    if (count == 0) {
        return notMeasured(kind->label);
    }
    outcome.residual = std::sqrt(squares / static_cast<double>(count));
    const double limit = CloseCurve * (most - least);
    outcome.judgement = outcome.residual <= limit ? Holds : DoesNotHold;
    outcome.repeats = variant.runs.size();
    outcome.sentence = notMeasured(kind->label).sentence;
    outcome.sentence.pattern = step.isLogarithmic
        ? LS_TR("Findings",
            "%1: your curve is off by a factor of %2 (root mean square). It holds up to %3: a tenth of the measured "
            "curve's decades.")
        : LS_TR("Findings",
            "%1: your curve is off by %2 (root mean square). It holds up to %3: a tenth of the measured curve's "
            "range.");
    for (const double distance : {outcome.residual, limit}) {
        outcome.sentence.arguments.push_back(
            analysis::threeDigits(step.isLogarithmic ? std::pow(10.0, distance) : distance)
            + (kind->scale == Percent && !step.isLogarithmic ? " %" : ""));
    }
    outcome.sentence.runs = variant.ids();
    if (step.x == "seconds" || step.chart == SweepChart) {
        takeDoubt(outcome, busyDoubt(PredictionKind, kind->label, std::array{variant}));
    }
    return outcome;
}

} // namespace

Outcome outcomeOf(const Prediction& prediction, const Step& step, Runs runs)
{
    const auto* content = step.as<PredictionStep>();
    if (content == nullptr) {
        return {};
    }
    if (const auto* curve = std::get_if<CurvePrediction>(&prediction.value)) {
        return outcomeOfCurve(*curve, *content, runs);
    }
    const Figure* figure = analysis::findFigure(content->of.figure);
    if (figure == nullptr) {
        return {};
    }
    if (const auto* direction = std::get_if<DirectionPrediction>(&prediction.value)) {
        return outcomeOfDirection(*direction, content->of, *figure, runs);
    }
    if (const auto* order = std::get_if<OrderPrediction>(&prediction.value)) {
        return outcomeOfOrder(*order, *figure, runs);
    }
    return outcomeOfNumber(std::get<NumberPrediction>(prediction.value), content->of, *figure, runs);
}

RangeScore rangesHeld(const Laboratory& laboratory, const WorkState& state, Runs runs)
{
    RangeScore score;
    for (const Step& step : laboratory.steps) {
        const SealedPrediction* sealed = state.sealOf(step.id);
        if (sealed == nullptr || !std::holds_alternative<NumberPrediction>(sealed->prediction.value)) {
            continue;
        }
        const Outcome outcome = outcomeOf(sealed->prediction, step, runsOfStep(runs, state, subjectOf(step)));
        score.of += outcome.judgement == Holds || outcome.judgement == DoesNotHold ? 1 : 0;
        score.held += outcome.judgement == Holds ? 1 : 0;
        score.untold += outcome.judgement == CannotBeTold ? 1 : 0;
    }
    return score;
}

std::optional<analysis::Finding> rangesSentence(const RangeScore& score)
{
    if (score.of + score.untold == 0) {
        return std::nullopt;
    }
    analysis::Finding finding;
    finding.kind = "laboratory.ranges";
    finding.pattern = score.untold == 0 ? LS_TR("Findings", "Ranges that held the result: %1 of %2.")
        : score.of == 0 ? LS_TR("Findings", "Ranges that held the result: this cannot be told for any of %3.")
                        : LS_TR("Findings", "Ranges that held the result: %1 of %2; for %3 more this cannot be told.");
    finding.arguments = {std::to_string(score.held), std::to_string(score.of), std::to_string(score.untold)};
    return finding;
}

} // namespace lockstep::laboratory
