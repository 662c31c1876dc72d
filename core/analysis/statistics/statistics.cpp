#include "analysis/statistics/statistics.h"

#include "analysis/not_measured.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace lockstep::analysis {

namespace {

/// The quantile for two-sided intervals of which `comparisons` hold at once with a probability of 95 %.
double quantileOf(std::size_t degrees, std::size_t comparisons)
{
    return comparisons == 1 ? studentT975(degrees) : studentT(1.0 - 0.025 / static_cast<double>(comparisons), degrees);
}

} // namespace

Interval meanWithInterval(std::span<const double> values, std::size_t comparisons)
{
    constexpr double None = std::numeric_limits<double>::quiet_NaN();
    Interval result{None, None, 0};
    double sum = 0.0;
    for (const double value : values) {
        if (std::isfinite(value)) {
            sum += value;
            ++result.n;
        }
    }
    if (result.n == 0) {
        return result;
    }
    const double n = static_cast<double>(result.n);
    result.mean = sum / n;
    if (result.n < 2) {
        return result;
    }
    double squares = 0.0;
    for (const double value : values) {
        if (std::isfinite(value)) {
            squares += (value - result.mean) * (value - result.mean);
        }
    }
    result.halfWidth = quantileOf(result.n - 1, comparisons) * std::sqrt(squares / (n - 1.0) / n);
    return result;
}

PositiveInterval geometricMean(std::span<const double> values)
{
    std::vector<double> logs;
    for (const double value : values) {
        if (std::isfinite(value)) {
            logs.push_back(std::log(value)); // NaN and -infinity below: no mean of these
        }
    }
    if (!std::ranges::all_of(logs, [](double each) { return std::isfinite(each); })) {
        return {NotMeasured, NotMeasured, NotMeasured, logs.size()};
    }
    const Interval interval = meanWithInterval(logs);
    return {std::exp(interval.mean), std::exp(interval.mean - interval.halfWidth),
        std::exp(interval.mean + interval.halfWidth), interval.n};
}

PositiveInterval positiveWithInterval(std::span<const double> values)
{
    return positiveOf(meanWithInterval(values));
}

PositiveInterval positiveOf(const Interval& linear)
{
    PositiveInterval result{linear.mean, NotMeasured, NotMeasured, linear.n};
    const double factor = std::exp(linear.halfWidth / linear.mean);
    if (linear.mean > 0.0 && std::isfinite(factor)) {
        result.low = linear.mean / factor;
        result.high = linear.mean * factor;
    }
    return result;
}

ShareInterval shareWithInterval(std::span<const double> shares)
{
    constexpr double None = std::numeric_limits<double>::quiet_NaN();
    const Interval interval = meanWithInterval(shares);
    ShareInterval result{interval.mean, None, None, interval.n};
    const double p = interval.mean;
    if (interval.n < 2 || !(p > 0.0) || !(p < 1.0)) {
        return result;
    }
    const double logit = std::log(p / (1.0 - p));
    const double halfWidth = interval.halfWidth / (p * (1.0 - p));
    const auto shareOf = [](double value) { return 1.0 / (1.0 + std::exp(-value)); };
    // Equal values have no width: rounding must not move their ends off the mean.
    result.low = std::min(p, shareOf(logit - halfWidth));
    result.high = std::max(p, shareOf(logit + halfWidth));
    return result;
}

Interval differenceOf(const Interval& a, const Interval& b, std::size_t comparisons)
{
    Interval result{a.mean - b.mean, std::numeric_limits<double>::quiet_NaN(), std::min(a.n, b.n)};
    if (result.n < 2) {
        return result;
    }
    const auto squaredError = [](const Interval& each) {
        const double error = each.halfWidth / studentT975(each.n - 1);
        return error * error;
    };
    const double ofA = squaredError(a);
    const double ofB = squaredError(b);
    const double sum = ofA + ofB;
    // Welch-Satterthwaite; rounded down, which widens the interval.
    const double degrees = sum > 0.0
        ? sum * sum / (ofA * ofA / static_cast<double>(a.n - 1) + ofB * ofB / static_cast<double>(b.n - 1))
        : 1.0;
    result.halfWidth
        = quantileOf(static_cast<std::size_t>(std::max(1.0, degrees + 1e-9)), comparisons) * std::sqrt(sum);
    return result;
}

std::size_t moreRepeatsToTell(const Interval& difference, double smallest, Sides sides)
{
    const double size = std::fabs(difference.mean);
    const double needed = std::max(size, smallest - size);
    if (difference.n < 2 || !(difference.halfWidth > needed)) {
        return 0;
    }
    const auto width = [sides](std::size_t repeats) {
        const std::size_t degrees = (sides == Sides::Paired ? 1 : 2) * (repeats - 1);
        return studentT975(degrees) / std::sqrt(static_cast<double>(repeats));
    };
    for (std::size_t all = difference.n + 1; all <= MostRepeatsProposed; ++all) {
        if (difference.halfWidth * width(all) / width(difference.n) <= needed) {
            return all - difference.n;
        }
    }
    return 0;
}

double studentT975(std::size_t degrees)
{
    static constexpr std::array<double, 30> Table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
        2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042};
    if (degrees == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (degrees <= Table.size()) {
        return Table[degrees - 1];
    }
    // Cornish-Fisher expansion about the normal quantile (Abramowitz and Stegun 26.7.5), right to 3 digits from 30 on.
    constexpr double Z = 1.959964;
    const double v = static_cast<double>(degrees);
    return Z + (Z * Z * Z + Z) / (4.0 * v) + (5.0 * std::pow(Z, 5) + 16.0 * Z * Z * Z + 3.0 * Z) / (96.0 * v * v);
}

namespace {

/// The probability that |t| < sqrt(degrees) tan(angle): Abramowitz and Stegun 26.7.3 and 26.7.4.
double centralT(double angle, std::size_t degrees)
{
    const double square = std::cos(angle) * std::cos(angle);
    const bool isOdd = degrees % 2 == 1;
    double term = isOdd ? std::cos(angle) : 1.0;
    double sum = degrees == 1 ? 0.0 : term;
    for (std::size_t k = isOdd ? 3 : 2; k + 1 < degrees; k += 2) {
        term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    return isOdd ? (angle + std::sin(angle) * sum) * 2.0 / std::numbers::pi : std::sin(angle) * sum;
}

} // namespace

double studentT(double probability, std::size_t degrees)
{
    if (degrees == 0 || !(probability >= 0.5 && probability < 1.0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    double low = 0.0;
    double high = std::numbers::pi / 2.0;
    constexpr int Halvings = 60;
    for (int i = 0; i < Halvings; ++i) {
        const double middle = (low + high) / 2.0;
        (centralT(middle, degrees) < 2.0 * probability - 1.0 ? low : high) = middle;
    }
    return std::sqrt(static_cast<double>(degrees)) * std::tan(low);
}

DebiasedAverage::DebiasedAverage(double weight)
    : m_weight(weight)
{ }

double DebiasedAverage::add(double value)
{
    if (!std::isfinite(value)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (!m_hasFirst) {
        m_first = value;
        m_hasFirst = true;
    }
    m_isConstant = m_isConstant && value == m_first;
    m_average = m_weight * m_average + (1.0 - m_weight) * value;
    const double whole = 1.0 - m_correction * m_weight;
    m_correction = whole < 1.0 ? m_correction * m_weight : 0.0; // tiny numbers would be slow
    return m_isConstant ? value : whole < 1.0 ? m_average / whole : m_average;
}

std::vector<double> smoothed(std::span<const double> values, double weight)
{
    DebiasedAverage average(weight);
    std::vector<double> result;
    result.reserve(values.size());
    for (const double value : values) {
        result.push_back(average.add(value));
    }
    return result;
}

} // namespace lockstep::analysis
