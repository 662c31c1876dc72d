#include "plan/partition/pieces.h"

#include <numeric>

namespace lockstep::plan {

Partition dealContiguous(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    std::vector<std::int64_t> order(labels.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    return {cut(order, options.ranks)};
}

Partition dealStrided(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    Partition partition;
    partition.shares.resize(static_cast<std::size_t>(options.ranks));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        partition.shares[i % partition.shares.size()].push_back(static_cast<std::int64_t>(i));
    }
    return partition;
}

} // namespace lockstep::plan
