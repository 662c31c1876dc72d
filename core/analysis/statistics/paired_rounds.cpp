#include "analysis/statistics/paired_rounds.h"

#include "analysis/not_measured.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

constexpr std::size_t FewestMerged = 16;
/// Added to the correlation, divided by the number of values: one that is thought too small costs more than one too
/// large.
constexpr double Doubt = 2.5;
/// A larger correlation cannot be distinguished from a trend: the interval stays finite.
constexpr double MostWidened = 0.9;
/// From this many standard deviations, and from this factor on, a time is a stall.
constexpr double StallDeviations = 3.5;
constexpr double LeastStall = 1.25;
/// The standard deviation of normal values over their median absolute deviation.
constexpr double NormalMad = 1.4826;

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> finiteOf(std::span<const double> values)
{
    std::vector<double> finite;
    std::copy_if(
        values.begin(), values.end(), std::back_inserter(finite), [](double each) { return std::isfinite(each); });
    return finite;
}

/// Means of pairs of neighbours; an odd last value is left out.
std::vector<double> mergedPairs(const std::vector<double>& values)
{
    std::vector<double> merged;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        merged.push_back((values[i] + values[i + 1]) / 2.0);
    }
    return merged;
}

struct Merged {
    std::vector<double> values;
    std::size_t rounds = 1; ///< in each value
    double widening = 1.0; ///< of an interval, for the correlation that is left
};

Merged mergedWhileCorrelated(std::vector<double> values)
{
    Merged result{std::move(values)};
    while (result.values.size() / 2 >= FewestMerged && neighbourCorrelation(result.values) >= LargestCorrelation) {
        result.values = mergedPairs(result.values);
        result.rounds *= 2;
    }
    const double doubt = Doubt / static_cast<double>(result.values.size());
    const double rest = std::clamp(neighbourCorrelation(result.values) + doubt, 0.0, MostWidened);
    result.widening = std::sqrt((1.0 + rest) / (1.0 - rest));
    return result;
}

struct MeanOfLogs {
    Interval interval; ///< none for fewer than five values
    std::size_t merged = 1; ///< values that make one independent one
};

/// Of dependent values in their order.
MeanOfLogs meanOfLogs(std::vector<double> values)
{
    const std::size_t n = values.size();
    if (n < FewestForAnInterval) {
        return {{n == 0 ? NotMeasured : meanOf(values), NotMeasured, n}};
    }
    const double mean = meanOf(values); // merging may leave an odd last value out
    const Merged independent = mergedWhileCorrelated(std::move(values));
    return {{mean, meanWithInterval(independent.values).halfWidth * independent.widening, n}, independent.rounds};
}

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 == 1 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2.0;
}

/// Of each run and round: the time above the run's median, less what the other runs take above theirs in that round.
std::vector<std::vector<double>> residualsOf(const std::vector<std::vector<double>>& runs)
{
    std::vector<std::vector<double>> above = runs;
    for (auto& run : above) {
        const double median = medianOf(run);
        std::ranges::transform(run, run.begin(), [median](double each) { return each - median; });
    }
    if (runs.size() < 3) {
        return above; // of two the other says nothing of the machine
    }
    std::vector<std::vector<double>> residuals = above;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (std::size_t round = 0; round < runs.front().size(); ++round) {
            std::vector<double> others;
            for (std::size_t other = 0; other < runs.size(); ++other) {
                if (other != run) { // with itself its own noise would look smaller than it is
                    others.push_back(above[other][round]);
                }
            }
            residuals[run][round] -= medianOf(std::move(others));
        }
    }
    return residuals;
}

/// Places of the rounds in which one of the runs stalled; all runs have all rounds.
std::vector<std::size_t> stalledRounds(const std::vector<std::vector<double>>& runs)
{
    if (runs.empty() || runs.front().size() < FewestForAnInterval) {
        return {};
    }
    const std::size_t rounds = runs.front().size();
    std::vector<double> excess(rounds, 0.0); // the largest, in limits
    for (const auto& run : residualsOf(runs)) {
        const double median = medianOf(run);
        std::vector<double> apart = run;
        std::ranges::transform(apart, apart.begin(), [median](double each) { return std::fabs(each - median); });
        const double limit = std::max(StallDeviations * NormalMad * medianOf(std::move(apart)), std::log(LeastStall));
        for (std::size_t round = 0; round < rounds; ++round) {
            excess[round] = std::max(excess[round], run[round] / limit);
        }
    }
    std::vector<std::size_t> stalled;
    for (std::size_t round = 0; round < rounds; ++round) {
        if (excess[round] > 1.0) {
            stalled.push_back(round);
        }
    }
    std::ranges::stable_sort(stalled, std::greater(), [&excess](std::size_t round) { return excess[round]; });
    stalled.resize(std::min(stalled.size(), static_cast<std::size_t>(MostLeftOut * static_cast<double>(rounds))));
    return stalled;
}

RelativeDifference relative(const Interval& logs, std::size_t merged)
{
    return {std::expm1(logs.mean), std::expm1(logs.mean - logs.halfWidth), std::expm1(logs.mean + logs.halfWidth),
        logs.n, merged};
}

} // namespace

double neighbourCorrelation(std::span<const double> values)
{
    if (values.size() < 3) {
        return 0.0;
    }
    const double mean = meanOf(values);
    double squares = 0.0;
    double products = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (values[i] - mean) * (values[i] - mean);
        products += i > 0 ? (values[i] - mean) * (values[i - 1] - mean) : 0.0;
    }
    if (!(squares > 0.0)) {
        return 0.0;
    }
    const double raw = products / squares;
    return raw + (1.0 + 4.0 * raw) / static_cast<double>(values.size());
}

std::vector<bool> keptRounds(std::span<const std::vector<double>> logMs)
{
    std::size_t rounds = 0;
    for (const auto& run : logMs) {
        rounds = std::max(rounds, run.size());
    }
    std::vector<std::vector<double>> runs;
    for (std::vector<double> run : logMs) {
        run.resize(rounds, NotMeasured);
        if (finiteOf(run).size() >= std::min(rounds, FewestForAnInterval)) {
            runs.push_back(std::move(run));
        }
    }
    std::vector<bool> kept(rounds);
    std::vector<std::size_t> whole; // rounds that each run has
    for (std::size_t round = 0; round < rounds; ++round) {
        kept[round] = std::ranges::all_of(runs, [&](const auto& run) { return std::isfinite(run[round]); });
        if (kept[round]) {
            whole.push_back(round);
        }
    }
    for (auto& run : runs) {
        for (std::size_t i = 0; i < whole.size(); ++i) {
            run[i] = run[whole[i]];
        }
        run.resize(whole.size());
    }
    for (const std::size_t stalled : stalledRounds(runs)) {
        kept[whole[stalled]] = false;
    }
    return kept;
}

RelativeDifference differenceOfRounds(std::span<const double> logRatios)
{
    const MeanOfLogs mean = meanOfLogs(finiteOf(logRatios));
    return relative(mean.interval, mean.merged);
}

PositiveInterval meanOfBlocks(std::span<const double> values)
{
    std::vector<double> logs = finiteOf(values);
    if (std::ranges::any_of(logs, [](double each) { return !(each > 0.0); })) {
        return {NotMeasured, NotMeasured, NotMeasured, logs.size()};
    }
    std::ranges::transform(logs, logs.begin(), [](double each) { return std::log(each); });
    const Interval interval = meanOfLogs(std::move(logs)).interval;
    return {std::exp(interval.mean), std::exp(interval.mean - interval.halfWidth),
        std::exp(interval.mean + interval.halfWidth), interval.n};
}

PositiveInterval scaledTo(double mean, const PositiveInterval& interval)
{
    const double factor = mean / interval.mean;
    return {mean, interval.low * factor, interval.high * factor, interval.n};
}

} // namespace lockstep::analysis
