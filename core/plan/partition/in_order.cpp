#include "plan/partition/index_lists.h"

namespace lockstep::plan {

Partition contiguousPartition(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    return {cut(indicesInOrder(static_cast<std::int64_t>(labels.size())), options.ranks)};
}

Partition stridedPartition(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    Partition partition;
    partition.shares.resize(static_cast<std::size_t>(options.ranks));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        partition.shares[i % partition.shares.size()].push_back(static_cast<std::int64_t>(i));
    }
    return partition;
}

} // namespace lockstep::plan
