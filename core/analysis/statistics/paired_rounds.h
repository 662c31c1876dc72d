// The difference of two runs that took turns: which rounds count, and the interval of paired log ratios, for rounds
// that depend on their neighbours.
//
// Checked by simulation: 2, 3 and 6 equal runs, 30 and 60 rounds, noise of 2 and 5 % with correlations of 0, 0.3 and
// 0.57 between neighbours beside a common load, and stalls of 3 to 30 times in 5 % of all blocks, 6,000 comparisons of
// each kind. The intervals hold the truth in 92.7 to 97.2 % of them; a difference of 10 % is found in none of those of
// two or three runs and in 9 of the 72,000 of six. Measured as TurnTaker does, until every interval is 5 % wide to each
// side (1,500 of each kind, correlations of 0 and 0.57): 92.3 to 97.5 %, and none finds 10 %. With noise of 15 % and a
// correlation of 0.57, cut off after 240 rounds, 4 of 3,000 do.
#pragma once

#include "analysis/statistics/statistics.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lockstep::analysis {

/// Most rounds that count as stalled. With a fifth, stalls in 5 % of the blocks of six runs stay in the differences.
inline constexpr double MostLeftOut = 1.0 / 3.0;
/// Fewer give neither an interval nor a picture of which rounds are unusual.
inline constexpr std::size_t FewestForAnInterval = 5;
/// Adjacent rounds are merged until the correlation of neighbours is below this.
inline constexpr double LargestCorrelation = 0.3;

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

/// Which rounds count, the same for all runs. `logMs`: of each run, the log of ms per step in each round; NaN where it
/// had no block. Left out are rounds in which a run has no block - unless that run has fewer than five in all - and
/// stalled ones: where a run's time above its own median, less the median of what the other runs (two or more) take
/// above theirs, exceeds 3.5 standard deviations (by the median absolute deviation) and 25 %. Of stalled rounds at most
/// a third, the most extreme ones; none of fewer than five. One run alone: the stalls within it.
[[nodiscard]] std::vector<bool> keptRounds(std::span<const std::vector<double>> logMs);

/// From the log ratios of rounds, in their order: their mean with Student's interval. Neighbours are merged (batch
/// means) while they are correlated and at least 16 values stay; what correlation then remains, and 2.5 / n of n values
/// more for not knowing it well, widens the interval by sqrt((1 + r) / (1 - r)), the factor of an autoregressive
/// series. No interval for fewer than five rounds. Non-finite values are left out.
[[nodiscard]] RelativeDifference differenceOfRounds(std::span<const double> logRatios);

/// The geometric mean of a figure over blocks, with such an interval: the ratio of two runs' is the paired difference.
/// NaN where a value is not above 0; no interval for fewer than five.
[[nodiscard]] PositiveInterval meanOfBlocks(std::span<const double> values);

/// An interval with the mean `mean` that is as wide, as a factor, as another one.
[[nodiscard]] PositiveInterval scaledTo(double mean, const PositiveInterval& interval);

} // namespace lockstep::analysis
