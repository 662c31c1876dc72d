#include "plan/partition/partition.h"

#include "base/translate.h"
#include "experiment/settings.h"

#include <algorithm>
#include <array>
#include <string>

namespace lockstep::plan {

namespace {

constexpr std::array Partitions{PartitionKind{"random-sampling", randomSamplingPartition},
    PartitionKind{"random", randomPartition}, PartitionKind{"contiguous", contiguousPartition},
    PartitionKind{"strided", stridedPartition}, PartitionKind{"by-label", partitionByLabel},
    PartitionKind{"dirichlet", dirichletPartition}, PartitionKind{"unequal", unequalPartition}};

Result<void> check(std::string_view name, std::int64_t samples, const PartitionOptions& options)
{
    const auto ranks = options.ranks;
    if (samples < options.ranks) {
        return refusal(nameOf(&experiment::RankSettings::worldSize),
            LS_TR("Refusals", "%1 training samples are not enough for %2 ranks"), {samples, ranks});
    }
    if (name == "by-label" && options.shards * options.ranks > samples) {
        return refusal(nameOf(&experiment::PartitionSettings::shards),
            LS_TR("Refusals", "%1 for each of %2 ranks is more than the %3 training samples"),
            {options.shards, ranks, samples});
    }
    if (name == "unequal" && options.proportions.size() != static_cast<std::size_t>(options.ranks)) {
        return refusal(nameOf(&experiment::PartitionSettings::shares),
            LS_TR("Refusals", "%1 proportions for %2 ranks; give one for each"), {options.proportions.size(), ranks});
    }
    return {};
}

} // namespace

std::span<const PartitionKind> partitionKinds()
{
    return Partitions;
}

Result<Partition> makePartition(
    std::string_view name, std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    const auto kind = std::find_if(
        Partitions.begin(), Partitions.end(), [name](const PartitionKind& each) { return each.name == name; });
    if (kind == Partitions.end()) {
        return refusal(
            nameOf(&experiment::PartitionSettings::name), LS_TR("Messages", "%1 is not known"), {verbatim(name)});
    }
    LOCKSTEP_TRY(check(name, static_cast<std::int64_t>(labels.size()), options));
    Partition partition = kind->make(labels, options);
    for (std::size_t rank = 0; rank < partition.shares.size(); ++rank) {
        if (partition.shares[rank].empty()) {
            return refusal(nameOf(&experiment::PartitionSettings::name),
                LS_TR("Refusals", "%1 leaves rank %2 without a sample; use fewer ranks or other shares"),
                {verbatim(name), rank});
        }
    }
    return partition;
}

} // namespace lockstep::plan
