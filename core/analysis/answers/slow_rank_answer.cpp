#include "analysis/answers/answer_parts.h"
#include "analysis/numbers.h"
#include "base/translate.h"

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
};

/// The rank that the others wait for in every run; -1 for none.
SlowRank slowRankOf(const Group& group)
{
    SlowRank slow{&group, -1, INFINITY};
    for (const RunRecord* run : group.runs) {
        const std::vector<RankSummary>& ranks = run->ranks;
        if (ranks.size() < 2) {
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
        if (!isSame || !(others > FewestTimes * least->medianWaitMs) || !(part >= SmallestWait) || !(part < 1.0)) {
            return {};
        }
        slow.rank = least->rank;
        slow.wait = std::min(slow.wait, part);
    }
    return slow;
}

} // namespace

std::optional<Finding> slowRankAnswer(const std::vector<Group>& groups)
{
    SlowRank worst;
    for (const Group& group : groups) {
        if (const SlowRank slow = slowRankOf(group); slow.rank >= 0 && slow.wait > worst.wait) {
            worst = slow;
        }
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
