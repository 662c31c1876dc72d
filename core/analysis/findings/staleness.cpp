#include "analysis/findings/staleness.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"

#include <algorithm>
#include <iterator>

namespace lockstep::analysis {

namespace {

void addTo(RankStaleness& all, const RankStaleness& each)
{
    all.gradients += each.gradients;
    all.sum += each.sum;
    all.largest = std::max(all.largest, each.largest);
    all.counts.resize(std::max(all.counts.size(), each.counts.size()), 0);
    for (std::size_t i = 0; i < each.counts.size(); ++i) {
        all.counts[i] += each.counts[i];
    }
}

/// Of each rank over the repeats of a variant.
std::vector<RankStaleness> ranksOf(const Group& group)
{
    std::vector<RankStaleness> ranks;
    for (const RunRecord* run : group.runs) {
        for (const RankStaleness& each : run->staleness) {
            addTo(ofRank(ranks, each.rank), each);
        }
    }
    return ranks;
}

} // namespace

void StalenessBuilder::add(std::int32_t rank, std::int64_t staleness)
{
    if (staleness < 0) {
        return;
    }
    RankStaleness& own = ofRank(m_ranks, rank);
    const std::size_t kept = std::min(static_cast<std::size_t>(staleness), MostStaleness - 1);
    if (own.counts.size() <= kept) {
        own.counts.resize(kept + 1, 0);
    }
    ++own.counts[kept];
    ++own.gradients;
    own.sum += staleness;
    own.largest = std::max(own.largest, staleness);
}

RankStaleness joined(std::span<const RankStaleness> ranks)
{
    RankStaleness all;
    for (const RankStaleness& each : ranks) {
        addTo(all, each);
    }
    return all;
}

std::vector<Finding> stalenessFindings(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> stale;
    std::ranges::copy_if(
        runs, std::back_inserter(stale), [](const RunRecord& run) { return run.staleness.size() > 1; });
    std::vector<Finding> findings;
    for (const Group& group : groupsOf(stale)) {
        const std::vector<RankStaleness> ranks = ranksOf(group);
        const RankStaleness all = joined(ranks);
        const auto [freshest, stalest] = std::ranges::minmax_element(ranks, {}, &RankStaleness::mean);
        findings.push_back({.kind = "aggregation.staleness",
            .pattern = LS_TR("Findings",
                "In %1 the server updates the weights %2 times, at most %3 times, while a rank computes its gradient. "
                "The gradients of rank %5 are the stalest (%4 updates), those of rank %7 the freshest (%6)."),
            .arguments = {group.name, estimateText(&Summary::staleness, group.runs), grouped(all.largest),
                threeDigits(stalest->mean()), std::to_string(stalest->rank), threeDigits(freshest->mean()),
                std::to_string(freshest->rank)},
            .figures = {{"staleness", estimateOf(&Summary::staleness, group.runs).mean},
                {"largest_staleness", static_cast<double>(all.largest)},
                {"gradients", static_cast<double>(all.gradients)}, {"stalest_rank_staleness", stalest->mean()},
                {"freshest_rank_staleness", freshest->mean()}},
            .runs = group.ids()});
    }
    return findings;
}

} // namespace lockstep::analysis
