#include "analysis/answers/answer_parts.h"
#include "analysis/numbers.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::analysis {

namespace {

/// Of a step: less is not worth a sentence.
constexpr double SmallestWait = 0.1;
/// The others wait this many times as long as the slow rank.
constexpr double FewestTimes = 2.0;

struct SlowRank {
    const Group* group = nullptr;
    std::int32_t rank = -1;
    double wait = 0.0; ///< of the other rank that waits least, as a part of the step
    std::int32_t longest = -1; ///< the rank that waits longest in a run
    double longestMs = 0.0; ///< in a step
};

bool isSlowed(const Group& group)
{
    const experiment::StragglerSettings& straggler = group.runs.front()->spec.settings->straggler;
    return straggler.delayMs > 0.0 || straggler.factor > 1.0;
}

double computingMs(const RankSummary& rank)
{
    const auto of = [&rank](Phase phase) { return rank.phaseMs[static_cast<std::size_t>(phase)]; };
    return of(Phase::Data) + of(Phase::Forward) + of(Phase::Backward);
}

/// Whether its spans show why the others wait: it computes longer than each of them, where that is known and its link
/// is not what is slow.
bool computesLongest(const RankSummary& slow, const RunRecord& run)
{
    constexpr double Longer = 1.1;
    return run.spec.settings->link.isEmulated() || std::ranges::all_of(run.ranks, [&slow](const RankSummary& rank) {
        return rank.rank == slow.rank || !(computingMs(rank) * Longer > computingMs(slow))
            || !(computingMs(rank) > 0.0);
    });
}

/// The rank that the others wait for in every run; -1 for none.
SlowRank slowRankOf(const Group& group)
{
    SlowRank slow{&group, -1, INFINITY};
    for (const RunRecord* run : group.runs) {
        const std::vector<RankSummary>& ranks = run->ranks;
        // Behind an asynchronous server ranks wait for the server, not for each other; and ranks that share cores wait
        // for those without one.
        const bool isCrowded = run->summary.cores > 0 && !isSlowed(group)
            && ranksOf(*run) * run->spec.settings->rank.threads > run->summary.cores;
        if (ranks.size() < 2 || isCrowded || is(run->spec, experiment::Algorithm::ParameterServerAsync)) {
            return {};
        }
        const auto least = std::ranges::min_element(ranks, {}, &RankSummary::medianWaitMs);
        double others = INFINITY;
        for (const RankSummary& rank : ranks) {
            others = rank.rank == least->rank ? others : std::min(others, rank.medianWaitMs);
        }
        const double part
            = others / (std::isfinite(least->msPerStepTypical) ? least->msPerStepTypical : least->msPerStep);
        const bool isSame = slow.rank < 0 || slow.rank == least->rank;
        if (!isSame || !computesLongest(*least, *run) || !(others > FewestTimes * least->medianWaitMs)
            || !(part >= SmallestWait) || !(part < 1.0)) {
            return {};
        }
        slow.rank = least->rank;
        slow.wait = std::min(slow.wait, part);
        const auto most = std::ranges::max_element(ranks, {}, &RankSummary::medianWaitMs);
        if (most->medianWaitMs > slow.longestMs) {
            slow.longest = most->rank;
            slow.longestMs = most->medianWaitMs;
        }
    }
    return slow;
}

/// A variant with a slowed rank beside the same one without, where their times per step are apart.
struct SlowedPair {
    const Group* group = nullptr;
    const Group* without = nullptr;
    FigureDifference difference;
};

std::vector<SlowedPair> slowedPairs(const std::vector<Group>& groups)
{
    const Figure& figure = figureOf(&Summary::msPerStepTypical);
    std::vector<SlowedPair> pairs;
    for (const Group& group : groups) {
        const auto without = std::ranges::find_if(
            groups, [&](const Group& other) { return !isSlowed(other) && differOnlyIn(group, other, {"straggler."}); });
        if (!isSlowed(group) || without == groups.end()) {
            continue;
        }
        const FigureDifference difference = differenceOf(figure, without->runs, group.runs);
        if (certaintyOf(figure, difference) == Certainty::Apart) {
            pairs.push_back({&group, &*without, difference});
        }
    }
    std::ranges::stable_sort(
        pairs, std::ranges::greater(), [](const SlowedPair& pair) { return pair.difference.difference; });
    return pairs;
}

/// What the slowed rank costs each way, and where the others wait most.
Finding costAnswer(const std::vector<SlowedPair>& pairs, const SlowRank& worst)
{
    const auto times = [](const SlowedPair& pair) {
        const FigureDifference& of = pair.difference;
        return timesText(1.0 + of.difference, 1.0 + of.low, 1.0 + of.high);
    };
    const auto named = [&](const SlowedPair& pair) { return pair.without->name + " " + times(pair); };
    const bool anyWaits = worst.group != nullptr;
    Finding finding{.kind = "answer.slow_rank_cost",
        .pattern = anyWaits
            ? LS_TR("Findings",
                "A slow rank makes a step take this many times as long as without it: %1. The others wait for rank %3, "
                "longest in %2: rank %4 for typically %5 ms a step.")
            : LS_TR("Findings", "A slow rank makes a step take this many times as long as without it: %1."),
        .arguments = {fewOf(pairs, named)},
        .role = Role::Headline};
    if (anyWaits) {
        finding.arguments.insert(finding.arguments.end(),
            {worst.group->name, std::to_string(worst.rank), std::to_string(worst.longest),
                threeDigits(worst.longestMs)});
        finding.figures = {{"rank", static_cast<double>(worst.rank)}, {"wait_share", worst.wait},
            {"longest_wait_ms", worst.longestMs}};
    }
    if (pairs.size() > MostNamed + 1) { // the sentence does not name all
        finding.table.header = {LS_TR("Findings", "Variant"), LS_TR("Findings", "Multiple")};
    }
    for (const SlowedPair& pair : pairs) {
        if (!finding.table.header.empty()) {
            finding.table.rows.push_back({pair.group->name, times(pair)});
        }
        finding.figures.emplace_back("times_" + pair.without->key, 1.0 + pair.difference.difference);
        finding.addRuns(idsOf({pair.group, pair.without}));
    }
    return finding;
}

} // namespace

std::vector<Group> withoutSlowed(const std::vector<Group>& groups)
{
    std::vector<Group> others = groups;
    std::erase_if(others, isSlowed);
    return others.size() > 1 ? others : groups;
}

std::optional<Finding> slowRankAnswer(const std::vector<Group>& groups)
{
    SlowRank worst;
    SlowRank longest; // of those that were slowed
    for (const Group& group : groups) {
        const SlowRank slow = slowRankOf(group);
        if (slow.rank >= 0 && slow.wait > worst.wait) {
            worst = slow;
        }
        if (slow.rank >= 0 && isSlowed(group) && slow.longestMs > longest.longestMs) {
            longest = slow;
        }
    }
    if (const std::vector<SlowedPair> pairs = slowedPairs(groups); !pairs.empty()) {
        return costAnswer(pairs, longest);
    }
    if (worst.group == nullptr) {
        return std::nullopt;
    }
    return Finding{.kind = "answer.slow_rank",
        .pattern
        = LS_TR("Findings", "Rank %1 is slow: in %2 the other ranks wait for it, typically %3 of a step or more."),
        .arguments = {std::to_string(worst.rank), worst.group->name, percent(worst.wait)},
        .figures = {{"rank", static_cast<double>(worst.rank)}, {"wait_share", worst.wait}},
        .runs = worst.group->ids(),
        .role = Role::Headline};
}

} // namespace lockstep::analysis
