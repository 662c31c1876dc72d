#include "plan/partition/distributed_sampler.h"

#include "experiment/choices.h"
#include "plan/partition/index_lists.h"
#include "plan/partition/sampler.h"
#include "plan/slices.h"
#include "plan/steps.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace lockstep::plan {

namespace {

std::uint64_t seedOf(const experiment::RunSpec& run)
{
    return static_cast<std::uint64_t>(run.settings->train.seed);
}

class ReshuffledSampler final : public DistributedSampler {
public:
    ReshuffledSampler(const experiment::RunSpec& run, int ranks, std::int64_t samples)
        : DistributedSampler(ranks, samples)
        , m_plan(stepPlan(run, samples))
        , m_seed(seedFor(SeedUse::Batches, seedOf(run)))
        , m_isWhole(is(run, experiment::OptimizerName::Gd))
        , m_setsEpoch(run.settings->partition.setsEpoch)
    { }

    std::int64_t count(std::int64_t step, int rank) override { return sliceOf(batchOf(step), rank, ranks()).count; }

    std::span<const std::int64_t> indices(std::int64_t step, int rank) override
    {
        // The order does not matter for whole-batch gradients, and samples in file order need not be copied.
        const std::int64_t epoch = m_isWhole || !m_setsEpoch ? 0 : (step - 1) / m_plan.stepsPerEpoch;
        if (epoch != m_epoch) {
            m_order = m_isWhole ? indicesInOrder(samplesPerEpoch())
                                : shuffledIndices(samplesPerEpoch(), m_seed.derive(static_cast<std::uint64_t>(epoch)));
            m_epoch = epoch;
        }
        const Slice part = sliceOf(batchOf(step), rank, ranks());
        const std::int64_t first = (step - 1) % m_plan.stepsPerEpoch * m_plan.batch + part.first;
        return std::span(m_order).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(part.count));
    }

private:
    [[nodiscard]] std::int64_t batchOf(std::int64_t step) const
    {
        return samplesOfStep(m_plan, samplesPerEpoch(), step);
    }

    StepPlan m_plan;
    Seed m_seed;
    bool m_isWhole;
    bool m_setsEpoch;
    std::int64_t m_epoch = -1;
    std::vector<std::int64_t> m_order;
};

using Samplers = std::vector<std::unique_ptr<Sampler>>;

std::int64_t sizeOfAll(const Samplers& samplers)
{
    return std::accumulate(samplers.begin(), samplers.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& sampler) { return sum + sampler->size(); });
}

/// Every rank has its own share. A step's batch is split in proportion to what each rank has left, so that all ranks
/// finish their shares in the same step.
class PartitionedSampler final : public DistributedSampler {
public:
    PartitionedSampler(const experiment::RunSpec& run, Samplers samplers)
        : DistributedSampler(static_cast<int>(samplers.size()), sizeOfAll(samplers))
        , m_plan(stepPlan(run, samplesPerEpoch()))
        , m_samplers(std::move(samplers))
        , m_setsEpoch(run.settings->partition.setsEpoch)
    {
        beginEpoch();
    }

    std::int64_t count(std::int64_t step, int rank) override
    {
        goTo(step);
        return m_counts[static_cast<std::size_t>(rank)];
    }

    std::span<const std::int64_t> indices(std::int64_t step, int rank) override
    {
        goTo(step);
        const auto r = static_cast<std::size_t>(rank);
        Sampler& sampler = *m_samplers[r];
        if (m_setsEpoch) {
            sampler.setEpoch((step - 1) / m_plan.stepsPerEpoch);
        }
        return sampler.indices().subspan(static_cast<std::size_t>(m_taken[r]), static_cast<std::size_t>(m_counts[r]));
    }

private:
    void beginEpoch()
    {
        m_inEpoch = -1;
        m_taken.assign(m_samplers.size(), 0);
        m_counts.assign(m_samplers.size(), 0);
    }

    /// Sizes follow from those of the steps before, which are the same in every epoch.
    void goTo(std::int64_t step)
    {
        const std::int64_t wanted = (step - 1) % m_plan.stepsPerEpoch;
        if (wanted < m_inEpoch) {
            beginEpoch();
        }
        while (m_inEpoch < wanted) {
            std::vector<double> left;
            for (std::size_t r = 0; r < m_samplers.size(); ++r) {
                m_taken[r] += m_counts[r];
                left.push_back(static_cast<double>(m_samplers[r]->size() - m_taken[r]));
            }
            ++m_inEpoch;
            m_counts = apportion(samplesOfStep(m_plan, samplesPerEpoch(), m_inEpoch + 1), left);
        }
    }

    StepPlan m_plan;
    Samplers m_samplers;
    bool m_setsEpoch;
    std::int64_t m_inEpoch = -1; ///< the step of the epoch, from 0, that the sizes below are of
    std::vector<std::int64_t> m_taken; ///< of each share, in earlier steps of the epoch
    std::vector<std::int64_t> m_counts;
};

PartitionOptions optionsOf(const experiment::RunSpec& run, int ranks)
{
    PartitionOptions options{.ranks = ranks,
        .seed = seedFor(SeedUse::Partition, seedOf(run)),
        .alpha = run.settings->partition.alpha,
        .shards = run.settings->partition.shards,
        .proportions = run.settings->partition.shares,
        .least = std::max<std::int64_t>(1, experiment::globalBatch(run) / ranks)};
    if (options.proportions.empty()) {
        options.proportions.resize(static_cast<std::size_t>(ranks));
        std::iota(options.proportions.begin(), options.proportions.end(), 1.0);
    }
    return options;
}

/// Samples an epoch that a rank with `share` takes.
std::int64_t sizeOf(experiment::UnevenShares uneven, std::int64_t share, std::int64_t fewest, std::int64_t most)
{
    switch (uneven) {
    case experiment::UnevenShares::Pad:
        return most;
    case experiment::UnevenShares::Cut:
        return fewest;
    case experiment::UnevenShares::Proportional:
        break;
    }
    return share;
}

Samplers samplersOf(
    const experiment::RunSpec& run, const Partition& partition, const PartitionOptions& options, std::int64_t samples)
{
    const auto hasFewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
    const auto [fewest, most] = std::minmax_element(partition.shares.begin(), partition.shares.end(), hasFewer);
    const Seed seed = seedFor(SeedUse::Batches, seedOf(run));
    Samplers samplers;
    for (std::size_t rank = 0; rank < partition.shares.size(); ++rank) {
        const std::vector<std::int64_t>& share = partition.shares[rank];
        const std::int64_t size
            = sizeOf(experiment::choice<experiment::UnevenShares>(run), static_cast<std::int64_t>(share.size()),
                static_cast<std::int64_t>(fewest->size()), static_cast<std::int64_t>(most->size()));
        if (partition.isDrawnAnew) {
            samplers.push_back(std::make_unique<ReplacementSampler>(samples, size, options.seed.derive(rank)));
        } else {
            samplers.push_back(std::make_unique<ShareSampler>(share, size, seed.derive(rank)));
        }
    }
    return samplers;
}

} // namespace

std::int64_t DistributedSampler::countOfAll(std::int64_t step)
{
    std::int64_t sum = 0;
    for (int rank = 0; rank < m_ranks; ++rank) {
        sum += count(step, rank);
    }
    return sum;
}

int DistributedSampler::ranksWithSamples(std::int64_t step)
{
    int ranks = 0;
    for (int rank = 0; rank < m_ranks; ++rank) {
        ranks += count(step, rank) > 0 ? 1 : 0;
    }
    return ranks;
}

Result<PartitionedData> partitionData(
    const experiment::RunSpec& run, int ranks, std::span<const std::int64_t> labels, std::int64_t classes)
{
    const auto samples = static_cast<std::int64_t>(labels.size());
    if (is(run, experiment::Strategy::Single) || is(run, experiment::PartitionName::Reshuffled)) {
        return PartitionedData{std::make_unique<ReshuffledSampler>(run, ranks, samples), {}, 0};
    }
    const PartitionOptions options = optionsOf(run, ranks);
    LOCKSTEP_TRY_ASSIGN(auto partition, makePartition(nameOf(run.settings->partition.name), labels, options));
    addOverlap(partition, run.settings->partition.overlap, samples, options.seed.derive(0x0717));
    return PartitionedData{std::make_unique<PartitionedSampler>(run, samplersOf(run, partition, options, samples)),
        summarise(partition, labels, classes), partition.redraws};
}

} // namespace lockstep::plan
