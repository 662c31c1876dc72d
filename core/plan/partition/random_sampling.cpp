#include "plan/partition/partition.h"
#include "plan/partition/sampler.h"
#include "plan/slices.h"

namespace lockstep::plan {

Partition randomSamplingPartition(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    const auto total = static_cast<std::int64_t>(labels.size());
    Partition partition;
    partition.isDrawnAnew = true;
    for (int rank = 0; rank < options.ranks; ++rank) {
        ReplacementSampler sampler(
            total, sliceOf(total, rank, options.ranks).count, options.seed.derive(static_cast<std::uint64_t>(rank)));
        const auto drawn = sampler.indices();
        partition.shares.emplace_back(drawn.begin(), drawn.end());
    }
    return partition;
}

} // namespace lockstep::plan
