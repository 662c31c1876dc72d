#include "analysis/answers/answer_parts.h"
#include "analysis/numbers.h"
#include "analysis/timing/machine_load.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

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
    double longestMs = 0.0; ///< that a rank waits in a step
};

bool isSlowed(const Group& group)
{
    return group.runs.front()->spec.settings->straggler.isOn();
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
        // Behind an asynchronous server ranks wait for the server, too.
        if (ranks.size() < 2 || is(run->spec, experiment::Algorithm::ParameterServerAsync)) {
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
        slow.longestMs = std::max(slow.longestMs, std::ranges::max(ranks, {}, &RankSummary::medianWaitMs).medianWaitMs);
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

/// In ms, of a step; the multiples of ways that take unequal times without it cannot be compared.
double addedMs(const SlowedPair& pair, double relative)
{
    return estimateOf(figureOf(&Summary::msPerStepTypical), pair.without->runs).mean * relative;
}

/// `4.81 [4.11, 5.60]`
std::string addedText(const SlowedPair& pair)
{
    const FigureDifference& of = pair.difference;
    const double half = of.hasInterval() ? addedMs(pair, of.high - of.low) / 2.0 : 0.0;
    const auto text = [&](double relative) { return inDigitsOf(half, addedMs(pair, relative)); };
    return text(of.difference) + (of.hasInterval() ? " [" + text(of.low) + ", " + text(of.high) + "]" : "");
}

/// Of a rank in each step, in ms; 0 where it is a factor.
double delayOf(const Group& group)
{
    const experiment::StragglerSettings& of = group.runs.front()->spec.settings->straggler;
    return of.factor == 1.0 ? of.delayMs : 0.0;
}

/// What the slowed rank costs each way, and for whom the others wait.
Finding costAnswer(const std::vector<SlowedPair>& pairs, const SlowRank& worst)
{
    const auto times = [](const SlowedPair& pair) {
        const FigureDifference& of = pair.difference;
        return timesText(1.0 + of.difference, 1.0 + of.low, 1.0 + of.high);
    };
    std::vector<ValueAndText> named;
    for (const SlowedPair& pair : pairs) {
        named.emplace_back(
            addedMs(pair, pair.difference.difference), addedText(pair) + " ms (" + pair.without->name + ")");
    }
    const double delay = delayOf(*pairs.front().group);
    const bool isOneDelay = std::ranges::all_of(
        pairs, [&](const SlowedPair& pair) { return delay > 0.0 && delayOf(*pair.group) == delay; });
    Finding finding{.kind = "answer.slow_rank_cost",
        .pattern = isOneDelay ? LS_TR("Findings", "A rank delayed by %2 ms adds to the time of a step: %1.")
                              : LS_TR("Findings", "A slow rank adds to the time of a step: %1."),
        .arguments = {endsOf(std::move(named)), fmt::format("{:g}", delay)},
        .role = Role::Headline};
    if (worst.group != nullptr) {
        finding.clauses = {{.pattern = LS_TR("Findings", "and the other ranks wait for rank %1"),
            .arguments = {std::to_string(worst.rank)}}};
        finding.figures = {{"rank", static_cast<double>(worst.rank)}, {"wait_share", worst.wait},
            {"longest_wait_ms", worst.longestMs}};
    }
    if (pairs.size() > MostNamed + 1) { // the sentence does not name all
        finding.table.header
            = {LS_TR("Findings", "Variant"), LS_TR("Findings", "Added to a step (ms)"), LS_TR("Findings", "Multiple")};
    }
    for (const SlowedPair& pair : pairs) {
        if (!finding.table.header.empty()) {
            finding.table.rows.push_back({pair.group->name, addedText(pair), times(pair)});
        }
        finding.figures.emplace_back("times_" + pair.without->key, 1.0 + pair.difference.difference);
        finding.figures.emplace_back("added_ms_" + pair.without->key, addedMs(pair, pair.difference.difference));
        finding.addRuns(idsOf({pair.group, pair.without}));
    }
    return finding;
}

/// Why a slow rank costs time behind an asynchronous server, too, where the others may be a few steps ahead only.
std::vector<Finding> boundedAnswers(const std::vector<SlowedPair>& pairs)
{
    std::vector<Finding> said;
    for (const SlowedPair& pair : pairs) {
        const RunRecord& run = *pair.group->runs.front();
        const double with = pair.group->geometric(communicateMs).mean;
        const double without = pair.without->geometric(communicateMs).mean;
        if (!is(run.spec, experiment::Algorithm::ParameterServerAsync) || !(with > without)) {
            continue;
        }
        said.push_back({.kind = "answer.slow_rank_bound",
            .pattern = LS_TR("Findings",
                "In %1 no rank may be more than %2 steps ahead of the slowest (staleness). Ranks communicate and wait "
                "for %3 ms of a step, with %4 for %5 ms."),
            .arguments = {pair.group->name, std::to_string(run.spec.settings->aggregation.staleness), threeDigits(with),
                pair.without->name, threeDigits(without)},
            .figures = {{"communicate_ms", with}, {"communicate_ms_without", without}},
            .runs = idsOf({pair.group, pair.without})});
    }
    return said;
}

} // namespace

std::vector<Group> withoutSlowed(const std::vector<Group>& groups)
{
    std::vector<Group> others = groups;
    std::erase_if(others, isSlowed);
    return others.size() > 1 ? others : groups;
}

std::vector<Finding> slowRankAnswers(const std::vector<Group>& groups)
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
        std::vector<Finding> said{costAnswer(pairs, longest)};
        std::ranges::move(boundedAnswers(pairs), std::back_inserter(said));
        return said;
    }
    // Ranks that share cores wait for those without one: that explains the waiting, and no rank does.
    const auto isCrowded = [](const Group& group) { return sharesCores(*group.runs.front()); };
    if (worst.group == nullptr || (!isSlowed(*worst.group) && std::ranges::any_of(groups, isCrowded))) {
        return {};
    }
    return {Finding{.kind = "answer.slow_rank",
        .pattern
        = LS_TR("Findings", "Rank %1 is slow: in %2 the other ranks wait for it, typically %3 of a step or more."),
        .arguments = {std::to_string(worst.rank), worst.group->name, percent(worst.wait)},
        .figures = {{"rank", static_cast<double>(worst.rank)}, {"wait_share", worst.wait}},
        .runs = worst.group->ids(),
        .role = Role::Headline}};
}

} // namespace lockstep::analysis
