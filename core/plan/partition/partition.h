// Ways to split a data set across ranks, one file each. They use labels only, never the content of a sample, so tests
// need no net.
//
//     name              who gets which samples
//     random-sampling   every rank draws from the whole set, with replacement, again each epoch
//     random            a seeded shuffle, split into disjoint shares
//     contiguous        the set in file order, split into pieces
//     strided           every p-th sample
//     by-label          sorted by label and cut in shards, s of them a rank (McMahan et al., "Communication-efficient
//                       learning of deep networks from decentralized data", 2017, section 3)
//     dirichlet         each label spread over the ranks in proportions drawn from Dirichlet(alpha) (Yurochkin et al.,
//                       "Bayesian nonparametric federated learning of neural networks", 2019; Hsu, Qi and Brown, 2019,
//                       draw each rank's mixture of labels instead)
//     unequal           random, in given proportions
//
// To add one: a file, a line here, one in registry.cpp and one in the parameter table. `reshuffled`, which splits every
// batch and has no shares, is in distributed_sampler.h.
#pragma once

#include "base/random.h"
#include "base/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::plan {

struct PartitionOptions {
    int ranks = 1;
    Seed seed{};
    double alpha = 0.5; ///< dirichlet: the smaller, the more a rank's labels differ from the others'
    std::int64_t shards = 2; ///< by-label: of each rank
    std::vector<double> proportions{}; ///< unequal: one a rank
    std::int64_t least = 1; ///< dirichlet: samples that every rank must have
};

/// Which samples each rank has, by rank; in no particular order.
struct Partition {
    std::vector<std::vector<std::int64_t>> shares;
    bool isDrawnAnew = false; ///< each epoch, from the whole set; `shares` is the first epoch's draw
    std::int64_t redraws = 0; ///< dirichlet: how often the proportions were drawn again, because a rank had too little
};

/// `labels`: of every sample, 0 or more. Equal arguments give equal shares on every machine. At least one sample a
/// rank.
using PartitionFunction = Partition(std::span<const std::int64_t> labels, const PartitionOptions& options);

PartitionFunction randomSamplingPartition;
PartitionFunction randomPartition;
PartitionFunction contiguousPartition;
PartitionFunction stridedPartition;
PartitionFunction partitionByLabel;
PartitionFunction unequalPartition;
/// Gives up after 1,000 redraws and then fills up the poorest ranks from the richest.
PartitionFunction dirichletPartition;

struct PartitionKind {
    std::string_view name;
    PartitionFunction* make;
};

[[nodiscard]] std::span<const PartitionKind> partitionKinds();

/// Makes and checks it: every partition comes from here. Errors name the parameter.
[[nodiscard]] Result<Partition> makePartition(
    std::string_view name, std::span<const std::int64_t> labels, const PartitionOptions& options);

/// Gives every rank `fraction` times its share in extra samples that other ranks have, too. `samples`: in the whole
/// set.
void addOverlap(Partition& partition, double fraction, std::int64_t samples, Seed seed);

/// Splits `total` into integers in proportion to `weights`: Hamilton's method of largest remainders, ties to the first.
/// Not all weights may be 0.
[[nodiscard]] std::vector<std::int64_t> apportion(std::int64_t total, std::span<const double> weights);

/// What a rank's share holds.
struct ShareSummary {
    std::int64_t samples = 0;
    std::int64_t shared = 0; ///< of them, also with another rank
    std::vector<std::int64_t> labels; ///< how many of each label
};

/// By rank.
[[nodiscard]] std::vector<ShareSummary> summarise(
    const Partition& partition, std::span<const std::int64_t> labels, std::int64_t classes);

/// Distance between the ranks' labels and those of all ranks together: the total variation distance, from 0 (the same
/// mixture everywhere) towards 1 (no label in common), averaged over the ranks by their samples.
[[nodiscard]] double labelSkew(std::span<const std::vector<std::int64_t>> labelsByRank);

} // namespace lockstep::plan
