// Variants by a figure, the best first, with what is known of the differences.
#pragma once

#include "analysis/figures/figure_estimate.h"
#include "analysis/statistics/run_groups.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// What an interval of a difference says beside the smallest one worth naming: the one verdict of sentences and tables.
enum class Certainty {
    Unknown, ///< no interval, or one that holds 0 and reaches beyond the smallest difference
    Close, ///< wholly within it to both sides
    Apart ///< 0 is outside, and a part of it is beyond the smallest difference
};
[[nodiscard]] Certainty certaintyOf(const Figure& figure, const FigureDifference& difference);

/// That may tell the variants apart, or that no difference is worth naming, where the interval does neither: an
/// estimate; 0 where it is not known or too many.
[[nodiscard]] std::size_t moreRepeatsFor(const Figure& figure, const FigureDifference& difference);

struct Standing {
    const Figure* figure = nullptr;
    std::vector<const Group*> order; ///< the best first; without those that have no value
    std::vector<MeanEstimate> estimates; ///< of each in `order`
    std::vector<FigureDifference> toBest; ///< of each in `order` to the first; the first one's is 0
    std::vector<Certainty> certainties; ///< of these: by intervals that all hold at once with a probability of 95 %

    [[nodiscard]] bool isEvery(Certainty certainty) const; ///< but the first's
    /// Whether one of more than two is worse than the first, by its interval or in every run.
    [[nodiscard]] bool isAnyWorse() const;
    /// Whether nothing but chance can be said of the first two: neither has repeats, nor did they take turns.
    [[nodiscard]] bool isOfOneRunEach() const { return estimates[0].n == 1 && estimates[1].n == 1 && toBest[1].n < 2; }
    /// Of each run, the lower the better.
    [[nodiscard]] std::vector<double> costsOf(std::size_t place) const;
    /// isFarAbove() of the first: then it is no candidate, however wide its interval is.
    [[nodiscard]] bool isWorseInEveryRun(std::size_t place) const;
    /// Whether it is the first, or cannot be told from it.
    [[nodiscard]] bool isTied(std::size_t place) const
    {
        return place == 0 || (certainties[place] != Certainty::Apart && !isWorseInEveryRun(place));
    }
};

/// Accuracies and throughputs are best if high, all other figures if low.
[[nodiscard]] bool isHighestBest(const Figure& figure);
[[nodiscard]] Standing standingOf(const Figure& figure, const std::vector<Group>& groups);

/// The training figure by which variants are compared: the test accuracy if all have one, else the training loss.
[[nodiscard]] const Figure& qualityFigure(const std::vector<Group>& groups);
/// The training loss if all have one, else the loss of the last batch.
[[nodiscard]] const Figure& lossFigureOf(const std::vector<Group>& groups);
/// The time per step; the throughput where the variants do not do the same in a step.
[[nodiscard]] const Figure& paceFigure(const std::vector<Group>& groups);

/// `1.30 [1.20, 1.41]`: how many times the baseline's it is; of shares `1.2 [0.4, 2.0]`, points without a sign.
[[nodiscard]] std::string ratioText(const FigureDifference& difference);

} // namespace lockstep::analysis
