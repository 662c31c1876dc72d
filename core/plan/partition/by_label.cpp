#include "plan/partition/index_lists.h"
#include "plan/slices.h"

#include <algorithm>
#include <numeric>

namespace lockstep::plan {

Partition partitionByLabel(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    std::vector<std::int64_t> order = shuffledIndices(static_cast<std::int64_t>(labels.size()), options.seed.derive(0));
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return labels[static_cast<std::size_t>(a)] < labels[static_cast<std::size_t>(b)];
    });
    const auto ranks = static_cast<std::size_t>(options.ranks);
    const auto shards = static_cast<std::int64_t>(ranks) * options.shards;
    const std::vector<std::int64_t> shuffled = shuffledIndices(shards, options.seed.derive(1));
    Partition partition;
    partition.shares.resize(ranks);
    for (std::size_t i = 0; i < shuffled.size(); ++i) {
        const Slice shard = sliceOf(static_cast<std::int64_t>(order.size()), shuffled[i], shards);
        std::vector<std::int64_t>& share = partition.shares[i % ranks];
        share.insert(share.end(), order.begin() + shard.first, order.begin() + shard.first + shard.count);
    }
    return partition;
}

} // namespace lockstep::plan
