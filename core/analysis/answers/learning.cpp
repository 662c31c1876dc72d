#include "analysis/answers/learning.h"

#include "analysis/statistics/statistics.h"
#include "analysis/timing/summary.h"
#include "experiment/choices.h"

#include <cmath>
#include <limits>

namespace lockstep::analysis {

namespace {

/// Losses of single batches are noisy.
constexpr double SmoothingWeight = 0.9;
/// Of the first loss.
constexpr double LearnedBelow = 0.9;
constexpr double DivergedAbove = 2.0;
constexpr double GrownAbove = 10.0;
/// Times the accuracy of one who guesses.
constexpr double AtChance = 1.5;

} // namespace

double smoothingOf(const RunRecord& run)
{
    return is(run.spec, experiment::OptimizerName::Gd) ? 0.0 : SmoothingWeight;
}

double lowestSmoothedLoss(const RunRecord& run)
{
    DebiasedAverage average(smoothingOf(run));
    double lowest = std::numeric_limits<double>::infinity();
    for (const double value : run.loss.value) {
        if (const double now = average.add(value); now < lowest) {
            lowest = now;
        }
    }
    return lowest;
}

bool hasLearned(const RunRecord& run)
{
    if (run.summary.resumption.step > 0 || run.loss.value.size() <= WarmUpSteps) {
        return true;
    }
    return hasLoweredLoss(run)
        && !(run.summary.testAccuracy < AtChance / static_cast<double>(experiment::dataFactsOf(run.spec).classes));
}

bool hasLoweredLoss(const RunRecord& run)
{
    const double trained = run.summary.trainLoss;
    return !((std::isfinite(trained) ? trained : lowestSmoothedLoss(run)) > learnedBelow(run));
}

double learnedBelow(const RunRecord& run)
{
    return run.loss.value.empty() ? NotMeasured : LearnedBelow * run.loss.value.front();
}

bool hasDiverged(const RunRecord& run)
{
    const std::vector<double>& losses = run.loss.value;
    if (losses.empty() || !std::isfinite(losses.back())) {
        return !losses.empty();
    }
    DebiasedAverage average(smoothingOf(run));
    double last = 0.0;
    for (const double value : losses) {
        last = average.add(value);
    }
    return run.summary.resumption.step == 0 && losses.size() > WarmUpSteps && last >= DivergedAbove * losses.front();
}

bool hasGrownInBetween(const RunRecord& run)
{
    DebiasedAverage average(smoothingOf(run));
    return std::ranges::any_of(
        run.loss.value, [&](double value) { return average.add(value) >= GrownAbove * run.loss.value.front(); });
}

double lossOfGuessing(const RunRecord& run)
{
    return std::log(static_cast<double>(experiment::dataFactsOf(run.spec).classes));
}

} // namespace lockstep::analysis
