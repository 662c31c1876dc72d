#include "plan/partition/partition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep::plan {

std::vector<ShareSummary> summarise(
    const Partition& partition, std::span<const std::int64_t> labels, std::int64_t classes)
{
    constexpr int Nobody = -1;
    constexpr int Several = -2;
    std::vector<int> owners(labels.size(), Nobody);
    for (std::size_t rank = 0; rank < partition.shares.size(); ++rank) {
        for (const std::int64_t sample : partition.shares[rank]) {
            int& owner = owners[static_cast<std::size_t>(sample)];
            owner = owner == Nobody || owner == static_cast<int>(rank) ? static_cast<int>(rank) : Several;
        }
    }
    std::vector<ShareSummary> summaries;
    for (const auto& share : partition.shares) {
        ShareSummary summary;
        summary.samples = static_cast<std::int64_t>(share.size());
        summary.labels.resize(static_cast<std::size_t>(classes));
        for (const std::int64_t sample : share) {
            ++summary.labels[static_cast<std::size_t>(labels[static_cast<std::size_t>(sample)])];
            summary.shared += owners[static_cast<std::size_t>(sample)] == Several ? 1 : 0;
        }
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

double labelSkew(std::span<const std::vector<std::int64_t>> labelsByRank)
{
    const auto countOf = [](const std::vector<std::int64_t>& labels) {
        return static_cast<double>(std::accumulate(labels.begin(), labels.end(), std::int64_t{0}));
    };
    std::vector<double> all;
    double total = 0.0;
    for (const auto& labels : labelsByRank) {
        all.resize(std::max(all.size(), labels.size()), 0.0);
        std::transform(labels.begin(), labels.end(), all.begin(), all.begin(),
            [](std::int64_t count, double sum) { return sum + static_cast<double>(count); });
        total += countOf(labels);
    }
    double skew = 0.0;
    for (const auto& labels : labelsByRank) {
        const double own = countOf(labels);
        if (own == 0.0) {
            continue;
        }
        double distance = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double here = i < labels.size() ? static_cast<double>(labels[i]) / own : 0.0;
            distance += std::abs(here - all[i] / total);
        }
        skew += distance / 2.0 * own / total;
    }
    return skew;
}

} // namespace lockstep::plan
