// The one mean of a figure over repeats, the one difference between two variants, and the one rounding of both: tables,
// sentences, reports and the bars of charts show these.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/statistics/statistics.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// Whether every one of these runs has the figure.
[[nodiscard]] bool isMeasured(std::span<const RunRecord* const> runs, const Figure& figure);
/// Runs that do not have the figure are left out. Without an interval for fewer than two values, and for equal ones.
[[nodiscard]] MeanEstimate estimateOf(const Figure& figure, std::span<const RunRecord* const> runs);
[[nodiscard]] MeanEstimate estimateOf(double Summary::*member, std::span<const RunRecord* const> runs);

/// In the digits that the interval leaves, at most MostDigits significant ones; without one three. Shares have one
/// decimal and no sign, bytes their unit.
struct EstimateTexts {
    std::string mean; ///< `–` where nothing was measured
    std::string low; ///< empty without an interval, and where it is narrower than the last digit
    std::string high;

    /// ` [5.30, 6.25]`; empty without an interval.
    [[nodiscard]] std::string interval() const;
};
[[nodiscard]] EstimateTexts estimateTexts(const Figure& figure, const MeanEstimate& estimate);
/// `95.2 % [94.6, 95.7]`, `0.092 [0.088, 0.096]`, `12.3`; `–` where nothing was measured.
[[nodiscard]] std::string estimateText(const Figure& figure, const MeanEstimate& estimate);
/// estimateText() of estimateOf().
[[nodiscard]] std::string estimateText(double Summary::*member, std::span<const RunRecord* const> runs);

/// Of one variant's figure to the baseline's: relative to it (0.2 is 20 % more), for shares in points (0.012 is 1.2
/// points more).
struct FigureDifference {
    double difference = NotMeasured;
    double low = NotMeasured; ///< of the 95 % confidence interval; NotMeasured where it is unknown
    double high = NotMeasured;
    std::size_t n = 0; ///< pairs of equal seed, rounds of two single runs, or runs of the smaller group
    bool isInPoints = false;
    bool isPaired = false; ///< by seed or round, so that what these do to both does not widen the interval
    bool isOfRounds = false; ///< of two single runs that took turns
    std::size_t merged = 1; ///< rounds that make one independent value

    /// Not of equal differences, as MeanEstimate::hasInterval().
    [[nodiscard]] bool hasInterval() const { return high - low > 1e-9; }
    /// Of the baseline to the variant; of a relative difference.
    [[nodiscard]] FigureDifference inverse() const
    {
        const auto of = [](double relative) { return 1.0 / (1.0 + relative) - 1.0; };
        FigureDifference other = *this;
        other.difference = of(difference);
        other.low = of(high);
        other.high = of(low);
        return other;
    }
};

/// Of the blocks that count and that two runs ran in the same rounds of one comparison: log of the ratio of `b` to `a`,
/// in order. Empty unless the two took turns with each other.
[[nodiscard]] std::vector<double> logRatios(const RunRecord& a, const RunRecord& b, double MeasuredBlock::*figure);

/// Of the runs that have the figure. Runs of equal seed are pairs where the whole smaller side has partners; else the
/// two are independent samples (Welch). A pair that took turns: of its rounds, for the time of a step and the
/// throughput, where these are all blocks of both; of a single pair they make the interval. Relative differences are
/// means of log ratios, and so need figures above 0: else NotMeasured. The interval is one of `comparisons` that all
/// hold at once with a probability of 95 % (Bonferroni).
[[nodiscard]] FigureDifference differenceOf(const Figure& figure, std::span<const RunRecord* const> baseline,
    std::span<const RunRecord* const> runs, std::size_t comparisons = 1);

/// With their signs, in the digits that the interval leaves: `+3.2`, `+1.0`, `+5.5`. Points have one decimal.
[[nodiscard]] EstimateTexts differenceTexts(const FigureDifference& difference);
/// `+3.2 % [+1.0, +5.5]`, `-1.2 points`; `–` if unknown.
[[nodiscard]] std::string differenceText(const FigureDifference& difference);

} // namespace lockstep::analysis
