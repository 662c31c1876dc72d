// Means with confidence intervals, and the smoothing that charts and findings share.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lockstep::analysis {

struct Interval {
    double mean = 0.0; ///< NaN without values
    double halfWidth = 0.0; ///< of the 95 % confidence interval (Student's t); NaN for fewer than two values
    std::size_t n = 0;
};

/// Non-finite values are left out. With several `comparisons` the interval is one of that many which all hold their
/// means at once with a probability of 95 % (Bonferroni).
[[nodiscard]] Interval meanWithInterval(std::span<const double> values, std::size_t comparisons = 1);

/// A mean whose interval need not be symmetric about it.
struct MeanEstimate {
    double mean = 0.0; ///< NaN without values
    double low = 0.0; ///< of the 95 % confidence interval; NaN if unknown
    double high = 0.0;
    std::size_t n = 0;

    /// Not of equal values, which say nothing of how they scatter, also where rounding moves them a little.
    [[nodiscard]] bool hasInterval() const { return high - low > 1e-9 * mean; }
    [[nodiscard]] double halfWidth() const { return (high - low) / 2.0; }
};
/// Of shares such as accuracies, 0 to 1.
using ShareInterval = MeanEstimate;
/// Of quantities that are above 0, such as losses and times: the ends are above 0 too.
using PositiveInterval = MeanEstimate;

/// Student's t interval on the logit scale, which never leaves 0 to 1: with L = ln(p / (1 - p)) of the mean p and its
/// standard error s, the ends are those shares whose logit is L ± t s / (p (1 - p)) (SAS/STAT, SURVEYFREQ, "logit
/// confidence limits"; the error of L by the delta method). It always holds the mean, and a value may be 0 or 1. If
/// all values are 0, or all 1, how they scatter is unknown: low and high are NaN, as for fewer than two values.
/// Non-finite values are left out.
[[nodiscard]] ShareInterval shareWithInterval(std::span<const double> shares);

/// A Student's t interval on the log scale, which never reaches 0: with the mean m and its standard error s, the ends
/// are m exp(±t s / m) (the error of ln m by the delta method). It always holds the mean; where the values scatter
/// little it is close to `linear`. NaN ends without an interval and where the mean is not above 0.
[[nodiscard]] PositiveInterval positiveOf(const Interval& linear);
/// positiveOf() the arithmetic mean. Non-finite values are left out.
[[nodiscard]] PositiveInterval positiveWithInterval(std::span<const double> values);

/// The geometric mean with Student's interval of the logarithms: the ratio of two such means is the mean ratio. For
/// what differs by factors, such as steps and seconds. NaN where a value is not above 0; non-finite ones are left out.
[[nodiscard]] PositiveInterval geometricMean(std::span<const double> values);

/// Of a's mean less b's, both single intervals of values that are independent of each other (Welch 1947). `n` is the
/// smaller one's; the interval, one of `comparisons`, is NaN where that is below 2.
[[nodiscard]] Interval differenceOf(const Interval& a, const Interval& b, std::size_t comparisons = 1);

/// An experiment with more repeats is not proposed.
inline constexpr std::size_t MostRepeatsProposed = 50;
/// Whether each repeat is a pair, or one of each side.
enum class Sides { Paired, Independent };
/// About how many more repeats may tell whether a difference is 0 or smaller than `smallest`, if they scatter as these
/// do: the interval's width falls with the root of their number and with Student's t, from few repeats much faster. 0
/// where this is not known, and where it would be more than MostRepeatsProposed in all.
[[nodiscard]] std::size_t moreRepeatsToTell(const Interval& difference, double smallest, Sides sides);

/// The 97.5 % quantile of Student's t with `degrees` >= 1 degrees of freedom, to 3 digits.
[[nodiscard]] double studentT975(std::size_t degrees);

/// The quantile of Student's t with `degrees` >= 1 degrees of freedom at a probability in [0.5, 1): the value that t
/// exceeds with probability 1 - `probability`.
[[nodiscard]] double studentT(double probability, std::size_t degrees);

/// Exponential moving average without the bias of its start: s_i = w s_{i-1} + (1 - w) x_i, divided by 1 - w^i (Kingma
/// and Ba 2015, section 3; as TensorBoard smooths). A constant is unchanged; a non-finite value gives a gap and does
/// not affect later values.
class DebiasedAverage {
public:
    /// `weight` in [0, 1): 0 does not smooth.
    explicit DebiasedAverage(double weight);
    double add(double value);

private:
    double m_weight;
    double m_average = 0.0;
    double m_correction = 1.0; ///< w^i
    double m_first = 0.0;
    bool m_isConstant = true; ///< so far: rounding must not change it
    bool m_hasFirst = false;
};

[[nodiscard]] std::vector<double> smoothed(std::span<const double> values, double weight);

} // namespace lockstep::analysis
