#include "analysis/answers/standing.h"

#include "analysis/numbers.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::analysis {

namespace {

bool haveAll(const std::vector<Group>& groups, const Figure& figure)
{
    return std::ranges::all_of(groups, [&](const Group& group) {
        return std::ranges::all_of(group.runs, [&](const RunRecord* run) { return std::isfinite(figure.of(*run)); });
    });
}

/// Samples of a step; 0 for the whole training set. An asynchronous server's steps are of single ranks.
std::int64_t samplesOfStep(const RunRecord& run)
{
    return is(run.spec, experiment::OptimizerName::Gd)              ? 0
        : is(run.spec, experiment::Algorithm::ParameterServerAsync) ? -1
                                                                    : experiment::globalBatch(run.spec);
}

} // namespace

Certainty certaintyOf(const Figure& figure, const FigureDifference& difference)
{
    const double most = figure.smallestDifference;
    const double least = difference.isInPoints ? -most : 1.0 / (1.0 + most) - 1.0; // as far on the log scale
    if (figure.kind == FigureKind::Bytes) { // counted, not sampled: one run is enough
        const bool isClose = difference.difference > least && difference.difference < most;
        return std::isnan(difference.difference) ? Certainty::Unknown : isClose ? Certainty::Close : Certainty::Apart;
    }
    if (!difference.hasInterval()) {
        return difference.n > 1 && difference.difference == 0.0 ? Certainty::Close : Certainty::Unknown;
    }
    if (difference.low > least && difference.high < most) {
        return Certainty::Close;
    }
    return difference.low > 0.0 || difference.high < 0.0 ? Certainty::Apart : Certainty::Unknown;
}

std::size_t moreRepeatsFor(const Figure& figure, const FigureDifference& difference)
{
    if (!difference.hasInterval() || difference.isOfRounds || certaintyOf(figure, difference) != Certainty::Unknown) {
        return 0;
    }
    const auto onScale = [&](double value) { return difference.isInPoints ? value : std::log1p(value); };
    const double low = onScale(difference.low);
    const double high = onScale(difference.high);
    return moreRepeatsToTell({(low + high) / 2.0, (high - low) / 2.0, difference.n}, onScale(figure.smallestDifference),
        difference.isPaired ? Sides::Paired : Sides::Independent);
}

bool Standing::isEvery(Certainty certainty) const
{
    return std::all_of(
        certainties.begin() + 1, certainties.end(), [certainty](Certainty each) { return each == certainty; });
}

bool Standing::isAnyWorse() const
{
    for (std::size_t place = 1; place < order.size(); ++place) {
        if (order.size() > 2 && !isTied(place)) {
            return true;
        }
    }
    return false;
}

std::vector<double> Standing::costsOf(std::size_t place) const
{
    std::vector<double> costs = order[place]->valuesOf([this](const RunRecord& run) { return figure->of(run); });
    std::erase_if(costs, [](double cost) { return !std::isfinite(cost); });
    std::ranges::transform(
        costs, costs.begin(), [this](double value) { return isHighestBest(*figure) ? -value : value; });
    return costs;
}

bool Standing::isWorseInEveryRun(std::size_t place) const
{
    std::vector<std::vector<double>> costs;
    for (std::size_t each = 0; each < order.size(); ++each) {
        costs.push_back(costsOf(each));
    }
    return certainties[place] != Certainty::Close && isFarAbove(costs[place], costs[0], usualRangeOf(costs));
}

bool isHighestBest(const Figure& figure)
{
    return figure.name.ends_with("accuracy") || figure.name.starts_with("samples_per_s");
}

Standing standingOf(const Figure& figure, const std::vector<Group>& groups)
{
    Standing standing;
    standing.figure = &figure;
    std::vector<std::pair<MeanEstimate, const Group*>> measured;
    for (const Group& group : groups) {
        if (const MeanEstimate estimate = estimateOf(figure, group.runs); std::isfinite(estimate.mean)) {
            measured.emplace_back(estimate, &group);
        }
    }
    std::ranges::stable_sort(
        measured, {}, [&](const auto& each) { return each.first.mean * (isHighestBest(figure) ? -1.0 : 1.0); });
    for (const auto& [estimate, group] : measured) {
        standing.estimates.push_back(estimate);
        standing.order.push_back(group);
    }
    // The data choose the first: as many comparisons as pairs.
    const std::size_t n = standing.order.size();
    const std::size_t pairs = std::max<std::size_t>(1, n * (n - 1) / 2);
    for (const Group* group : standing.order) {
        standing.toBest.push_back(group == standing.order.front()
                ? FigureDifference{.difference = 0.0}
                : differenceOf(figure, standing.order.front()->runs, group->runs, pairs));
        const FigureDifference& last = standing.toBest.back();
        // Pairs of seeds may say the opposite of the means.
        const bool isBetter = isHighestBest(figure) ? last.difference > 0.0 : last.difference < 0.0;
        standing.certainties.push_back(isBetter ? Certainty::Unknown : certaintyOf(figure, last));
    }
    return standing;
}

const Figure& qualityFigure(const std::vector<Group>& groups)
{
    const Figure& accuracy = *findFigure("test_accuracy");
    return haveAll(groups, accuracy) ? accuracy : lossFigureOf(groups);
}

const Figure& lossFigureOf(const std::vector<Group>& groups)
{
    const Figure& loss = *findFigure("train_loss");
    return haveAll(groups, loss) ? loss : *findFigure("final_loss");
}

const Figure& paceFigure(const std::vector<Group>& groups)
{
    const std::int64_t samples = samplesOfStep(*groups.front().runs.front());
    const bool areAlike = std::ranges::all_of(
        groups, [samples](const Group& group) { return samplesOfStep(*group.runs.front()) == samples; });
    return *findFigure(areAlike && samples >= 0 ? "ms_per_step_typical" : "samples_per_s_typical");
}

std::string ratioText(const FigureDifference& difference)
{
    const bool isNegative = difference.isInPoints && difference.difference < 0.0;
    const auto shown
        = [&](double value) { return difference.isInPoints ? (isNegative ? -100.0 : 100.0) * value : 1.0 + value; };
    double low = shown(difference.low);
    double high = shown(difference.high);
    if (low > high) {
        std::swap(low, high);
    }
    const auto text = [&](double value) {
        return difference.isInPoints ? onePlace(value)
                                     : inDigitsOf(difference.hasInterval() ? (high - low) / 2.0 : 0.0, value);
    };
    return text(shown(difference.difference))
        + (difference.hasInterval() ? " [" + text(low) + ", " + text(high) + "]" : std::string());
}

} // namespace lockstep::analysis
