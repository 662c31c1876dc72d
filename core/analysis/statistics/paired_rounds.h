// The difference of two runs that took turns: the interval of paired log ratios, for rounds that depend on their
// neighbours.
#pragma once

#include "analysis/statistics/statistics.h"

#include <cstddef>
#include <span>

namespace lockstep::analysis {

/// Share of the rounds that the trimmed mean leaves out at each end.
inline constexpr double RoundsTrimmed = 0.2;
/// Adjacent rounds are merged until the correlation of neighbours is below this.
inline constexpr double LargestCorrelation = 0.2;

/// A difference relative to the baseline: 0.2 is 20 % more. NaN where it is not known.
struct RelativeDifference {
    double difference = 0.0;
    double low = 0.0; ///< of the 95 % confidence interval
    double high = 0.0;
    std::size_t n = 0; ///< pairs
    std::size_t merged = 1; ///< rounds that make one independent value

    [[nodiscard]] double halfWidth() const { return (high - low) / 2.0; }
    /// Whether the interval holds 0. False without an interval.
    [[nodiscard]] bool holdsZero() const { return low <= 0.0 && high >= 0.0; }
};

/// Correlation of neighbours, corrected for its bias of -(1 + 4 r) / n (Marriott and Pope 1954); 0 for fewer than three
/// values.
[[nodiscard]] double neighbourCorrelation(std::span<const double> values);

/// From the log ratios of rounds, in their order: the trimmed mean with the interval of Tukey and McLaughlin (1963:
/// winsorized variance, n - 2g - 1 degrees of freedom). Neighbours are merged (batch means) while they are correlated
/// and at least eight values stay; what correlation then remains widens the interval by sqrt((1 + r) / (1 - r)), the
/// factor of an autoregressive series. No interval for fewer than five rounds. Non-finite values are left out.
[[nodiscard]] RelativeDifference differenceOfRounds(std::span<const double> logRatios);

/// The mean of a figure over the blocks of one run with the interval of the merged blocks; for a chart's bar, whose
/// height is a mean. No interval for fewer than five.
[[nodiscard]] Interval meanOfBlocks(std::span<const double> values);

/// From one log ratio of each seed: their mean with Student's interval.
[[nodiscard]] RelativeDifference differenceOfSeeds(std::span<const double> logRatios);

} // namespace lockstep::analysis
