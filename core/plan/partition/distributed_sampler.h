// Which samples each rank works on in each step: the partition, the ranks' samplers and the sizes of their batches.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/partition/partition.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::plan {

/// Steps count from 1. Every rank asks its own object, about itself or about others: all give the same answers.
class DistributedSampler {
public:
    virtual ~DistributedSampler() = default;
    DistributedSampler(const DistributedSampler&) = delete;
    DistributedSampler& operator=(const DistributedSampler&) = delete;

    [[nodiscard]] int ranks() const { return m_ranks; }
    /// Over all ranks.
    [[nodiscard]] std::int64_t samplesPerEpoch() const { return m_samplesPerEpoch; }
    [[nodiscard]] virtual std::int64_t count(std::int64_t step, int rank) = 0;
    /// Valid until the next call with the same rank.
    [[nodiscard]] virtual std::span<const std::int64_t> indices(std::int64_t step, int rank) = 0;
    /// Over all ranks.
    [[nodiscard]] std::int64_t countOfAll(std::int64_t step);
    [[nodiscard]] int ranksWithSamples(std::int64_t step);

protected:
    DistributedSampler(int ranks, std::int64_t samplesPerEpoch)
        : m_ranks(ranks)
        , m_samplesPerEpoch(samplesPerEpoch)
    { }

private:
    int m_ranks;
    std::int64_t m_samplesPerEpoch;
};

struct PartitionedData {
    std::unique_ptr<DistributedSampler> sampler;
    std::vector<ShareSummary> shares; ///< by rank; empty for `reshuffled`, which has none
    std::int64_t redraws = 0;
};

/// Follows `partition.*`, `train.batch` and `train.seed`. With `partition.set_epoch` off, every epoch repeats the
/// first. `labels`: of the training set, below `classes`; not kept.
[[nodiscard]] Result<PartitionedData> partitionData(
    const experiment::RunSpec& run, int ranks, std::span<const std::int64_t> labels, std::int64_t classes);

/// The `partition.name` without shares: the whole set is shuffled every epoch and each batch is split across the ranks,
/// as torch.utils.data.DistributedSampler does.
inline constexpr std::string_view Reshuffled = "reshuffled";

} // namespace lockstep::plan
