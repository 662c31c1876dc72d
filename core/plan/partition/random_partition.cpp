#include "plan/partition/index_lists.h"

namespace lockstep::plan {

Partition randomPartition(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    return {cut(shuffledIndices(static_cast<std::int64_t>(labels.size()), options.seed), options.ranks)};
}

Partition unequalPartition(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    const std::vector<std::int64_t> order = shuffledIndices(static_cast<std::int64_t>(labels.size()), options.seed);
    const std::vector<std::int64_t> counts = apportion(static_cast<std::int64_t>(order.size()), options.proportions);
    Partition partition;
    auto next = order.begin();
    for (const std::int64_t count : counts) {
        partition.shares.emplace_back(next, next + count);
        next += count;
    }
    return partition;
}

} // namespace lockstep::plan
