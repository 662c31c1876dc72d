// Runs that are repeats of one variant, taken together. Private to core/analysis.
#pragma once

#include "analysis/run_record.h"
#include "analysis/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::analysis {

/// A figure of the summary, a member or a function such as msPerStepOf, as a function of a run, for Group and
/// differenceOf().
template <auto Figure>
[[nodiscard]] double inSummary(const RunRecord& run)
{
    return std::invoke(Figure, run.summary);
}

/// 0 to 1.
inline constexpr auto testAccuracyOf = inSummary<&Summary::testAccuracy>;

/// A variant with its repeats.
struct Group {
    std::string name; ///< as a person reads it
    std::vector<const RunRecord*> runs;
    std::string key{}; ///< the variant's name in its spec: for the names of a finding's figures

    [[nodiscard]] std::vector<RunId> ids() const
    {
        std::vector<RunId> result;
        for (const RunRecord* run : runs) {
            result.push_back(run->id);
        }
        return result;
    }

    template <typename F>
    [[nodiscard]] Interval mean(F figure) const
    {
        return meanWithInterval(valuesOf(figure));
    }

    /// Of what differs by factors, such as steps and seconds.
    template <typename F>
    [[nodiscard]] PositiveInterval geometric(F figure) const
    {
        return geometricMean(valuesOf(figure));
    }

    template <typename F>
    [[nodiscard]] std::vector<double> valuesOf(F figure) const
    {
        std::vector<double> values;
        for (const RunRecord* run : runs) {
            values.push_back(figure(*run));
        }
        return values;
    }
};

/// Of all these groups, one after the other.
[[nodiscard]] std::vector<RunId> idsOf(std::initializer_list<const Group*> groups);

/// Whether runs of one variant and seed are one repeat, of which the newest counts, or each counts: they learn the
/// same, but are measured again.
enum class SameSeed { Once, Each };
/// In the order of their first runs. Variants of one name with other settings are named by settingApart().
[[nodiscard]] std::vector<Group> groupsOf(std::span<const RunRecord> runs, SameSeed sameSeed = SameSeed::Once);

/// The first setting in which a run differs from another of the same name, or the number of hosts, in words; empty
/// where they differ in none.
[[nodiscard]] Text settingApart(const RunRecord& run, const RunRecord& other);

/// Not so of variants that are taken together.
[[nodiscard]] bool hasEachSeedOnce(std::span<const RunRecord* const> runs);
/// Runs of a and b with the same seed. None unless the whole smaller side has partners and each has each seed once.
[[nodiscard]] std::vector<std::pair<const RunRecord*, const RunRecord*>> pairsOfSeeds(
    std::span<const RunRecord* const> a, std::span<const RunRecord* const> b);

/// The mean of a's figure less b's with its 95 % confidence interval. Runs of each with the same seed are pairs, so
/// that a seed's effect on both does not widen the interval, and `n` counts pairs; unless the whole smaller group
/// has partners, it is Welch's interval of two samples, and `n` counts the smaller. One of `comparisons` intervals.
template <typename F>
[[nodiscard]] Interval differenceOf(const Group& a, const Group& b, F figure, std::size_t comparisons = 1)
{
    std::vector<double> pairs;
    for (const auto& [one, other] : pairsOfSeeds(a.runs, b.runs)) {
        pairs.push_back(figure(*one) - figure(*other));
    }
    const Interval paired = meanWithInterval(pairs, comparisons);
    return paired.n > 0 ? paired : differenceOf(a.mean(figure), b.mean(figure), comparisons);
}

/// The verdict of a difference's 95 % confidence interval; Unknown without repeats.
enum class Apart { Unknown, No, Yes };
[[nodiscard]] Apart isApart(const Interval& difference);

/// Variants by a figure that is above 0, and how sure the first place is.
struct Ranking {
    std::vector<const Group*> order; ///< the lowest geometric mean first; without those that have no value
    /// Whether the first is below every other: by intervals of the ratios that all hold at once with a probability of
    /// 95 %. Unknown where one of them ran once.
    Apart first = Apart::Unknown;
    /// The first and those that cannot be told from it, where that is known; not those of which each run is above each
    /// of the first by far more than runs usually scatter, however wide an interval of few repeats is.
    std::vector<const Group*> tied;
    PositiveInterval secondToFirst; ///< the ratio of the second to the first, with the interval of this one alone
    PositiveInterval lastToFirst; ///< likewise
};

/// e to the power of a difference of logs.
[[nodiscard]] PositiveInterval ratioOf(const Interval& logs);
/// `logsToFirst`: of each but the first, the log of its ratio to the first, as simultaneous intervals. `logs`: of each
/// run of each.
[[nodiscard]] Ranking rankingOf(std::vector<const Group*> order, std::span<const Interval> logsToFirst,
    const std::vector<std::vector<double>>& logs);
/// Whether each of `others` is above each of `first` by far more than `usualRange`; both of several runs.
[[nodiscard]] bool isFarAbove(std::span<const double> others, std::span<const double> first, double usualRange);
/// From the lowest to the highest run of a variant: the median over all of them.
[[nodiscard]] double usualRangeOf(const std::vector<std::vector<double>>& variants);

template <typename F>
[[nodiscard]] Ranking lowestFirst(const std::vector<Group>& groups, F figure)
{
    const auto logOf = [&figure](const RunRecord& run) { return std::log(figure(run)); };
    std::vector<const Group*> order;
    for (const Group& group : groups) {
        if (std::isfinite(group.geometric(figure).mean)) {
            order.push_back(&group);
        }
    }
    std::ranges::stable_sort(order, {}, [&](const Group* group) { return group->mean(logOf).mean; });
    // The data choose the first: as many comparisons as pairs.
    const std::size_t pairs = std::max<std::size_t>(1, order.size() * (order.size() - 1) / 2);
    std::vector<Interval> toFirst;
    std::vector<std::vector<double>> logs;
    for (std::size_t i = 0; i < order.size(); ++i) {
        logs.push_back(order[i]->valuesOf(logOf));
        std::erase_if(logs.back(), [](double each) { return !std::isfinite(each); });
        if (i > 0) {
            toFirst.push_back(differenceOf(*order[i], *order[0], logOf, pairs));
        }
    }
    Ranking ranking = rankingOf(std::move(order), toFirst, logs);
    if (!toFirst.empty()) {
        ranking.secondToFirst = ratioOf(differenceOf(*ranking.order[1], *ranking.order[0], logOf));
        ranking.lastToFirst = ratioOf(differenceOf(*ranking.order.back(), *ranking.order[0], logOf));
    }
    return ranking;
}

/// Whether two variants have the same settings but for these, the seed and what the user calls them. A name that ends
/// in a dot means all settings that begin with it.
[[nodiscard]] bool differOnlyIn(const Group& a, const Group& b, std::initializer_list<std::string_view> names);

/// Per step, with the waiting: what one algorithm calls a transfer, a server's clients wait for.
[[nodiscard]] double communicateMs(const RunRecord& run);
/// One group for all that send the same messages.
[[nodiscard]] std::vector<Group> byMessages(const std::vector<Group>& groups);

/// Whether the variant divides the model between its ranks.
[[nodiscard]] bool isDivided(const Group& group);

/// Whether two runs train the same net by the same rule.
[[nodiscard]] bool haveSameNet(const RunRecord& a, const RunRecord& b);
/// haveSameNet(), on as large batches: their costs differ by how the work is divided.
[[nodiscard]] bool trainSame(const RunRecord& a, const RunRecord& b);

/// Of what is above 0: `12.3`, or `12.3 [11.9, 12.8]` where the values differ, in the digits of the interval.
[[nodiscard]] std::string withInterval(const Interval& interval);
[[nodiscard]] std::string withInterval(const PositiveInterval& interval);

/// The runs by the data set that they train on, in the order of their first ones.
[[nodiscard]] std::vector<std::vector<RunRecord>> byDataSet(std::span<const RunRecord> runs);

} // namespace lockstep::analysis
