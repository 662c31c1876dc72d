#include "analysis/statistics/paired_rounds.h"

#include "analysis/not_measured.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

constexpr std::size_t FewestValues = 5;
constexpr std::size_t FewestMerged = 8;
/// A larger correlation cannot be distinguished from a trend: the interval stays finite.
constexpr double MostWidened = 0.9;

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

/// Trimmed mean with its half-width, of independent values.
Interval trimmedMean(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const auto cut = static_cast<std::size_t>(RoundsTrimmed * static_cast<double>(n));
    const std::size_t kept = n - 2 * cut;
    const double mean = meanOf(std::span(values).subspan(cut, kept));
    std::fill_n(values.begin(), cut, values[cut]);
    std::fill_n(values.rbegin(), cut, values[n - cut - 1]);
    const double centre = meanOf(values);
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - centre) * (value - centre);
    }
    const double count = static_cast<double>(n);
    const double error = std::sqrt(squares / (count - 1.0)) / (static_cast<double>(kept) / count * std::sqrt(count));
    return {mean, studentT975(kept - 1) * error, n};
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
    const double rest = std::clamp(neighbourCorrelation(result.values), 0.0, MostWidened);
    result.widening = std::sqrt((1.0 + rest) / (1.0 - rest));
    return result;
}

RelativeDifference relative(const Interval& logs, std::size_t pairs, std::size_t merged)
{
    return {std::expm1(logs.mean), std::expm1(logs.mean - logs.halfWidth), std::expm1(logs.mean + logs.halfWidth),
        pairs, merged};
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

RelativeDifference differenceOfRounds(std::span<const double> logRatios)
{
    std::vector<double> values = finiteOf(logRatios);
    const std::size_t pairs = values.size();
    if (pairs == 0) {
        return {NotMeasured, NotMeasured, NotMeasured, 0, 1};
    }
    if (pairs < FewestValues) {
        return {std::expm1(meanOf(values)), NotMeasured, NotMeasured, pairs, 1};
    }
    const Merged independent = mergedWhileCorrelated(std::move(values));
    Interval logs = trimmedMean(independent.values);
    logs.halfWidth *= independent.widening;
    return relative(logs, pairs, independent.rounds);
}

Interval meanOfBlocks(std::span<const double> values)
{
    std::vector<double> finite = finiteOf(values);
    const std::size_t n = finite.size();
    if (n < FewestValues) {
        return {n == 0 ? NotMeasured : meanOf(finite), NotMeasured, n};
    }
    const double mean = meanOf(finite);
    const Merged independent = mergedWhileCorrelated(std::move(finite));
    return {mean, meanWithInterval(independent.values).halfWidth * independent.widening, n};
}

RelativeDifference differenceOfSeeds(std::span<const double> logRatios)
{
    const Interval logs = meanWithInterval(logRatios);
    return relative(logs, logs.n, 1);
}

} // namespace lockstep::analysis
