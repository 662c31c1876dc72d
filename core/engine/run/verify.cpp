#include "engine/run/verify.h"

#include "engine/data/batches.h"
#include "engine/memory/memory_account.h"
#include "engine/model/gradient.h"
#include "engine/strategy/data/aggregation.h"
#include "engine/strategy/local/outer_optimizer.h"
#include "experiment/choices.h"
#include "plan/grid.h"
#include "plan/local_sgd.h"
#include "plan/pipeline/parts.h"

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::engine {

namespace {

/// A net with separate weights and optimizer.
struct VirtualRank {
    Net net;
    FlatParameters parameters;
    std::unique_ptr<Optimizer> optimizer;
};

Result<std::unique_ptr<VirtualRank>> makeVirtualRank(const experiment::RunSpec& run, const torch::Device& device)
{
    LOCKSTEP_TRY_ASSIGN(auto net, makeNet(run, device));
    FlatParameters parameters(net);
    LOCKSTEP_TRY_ASSIGN(auto optimizer, makeOptimizer(run, {parameters.weights()}));
    return std::make_unique<VirtualRank>(VirtualRank{std::move(net), std::move(parameters), std::move(optimizer)});
}

/// The order in which a batch's samples are summed: mathematically the same, rounded differently.
enum class SumOrder { AsTrained, Reversed, EvensFirst, InParts };
constexpr std::array OtherOrders{SumOrder::Reversed, SumOrder::EvensFirst, SumOrder::InParts};

torch::Tensor rowsIn(SumOrder order, std::int64_t count, const torch::Device& device)
{
    const auto options = torch::TensorOptions(torch::kLong).device(device);
    const torch::Tensor rows = torch::arange(count, options);
    if (order == SumOrder::Reversed) {
        return rows.flip(0);
    }
    return torch::cat({rows.slice(0, 0, count, 2), rows.slice(0, 1, count, 2)});
}

class Reference {
public:
    Reference(const experiment::RunSpec& run, const Job& job, SumOrder order)
        : m_run(run)
        , m_order(order)
        , m_ranks(job.partition.sampler->ranks())
        , m_job(job)
        , m_aggregation(run)
        , m_sharesGradients(!experiment::trainsLocally(run))
        , m_microBatches(plan::gridShape(run).data == 1 ? plan::pipelineShape(run).microBatches : 1)
        , m_clip(run.settings->optimizer.clip)
        , m_batches(job.data.train, *job.partition.sampler, job.device)
    { }

    Result<void> prepare()
    {
        // Ranks that share gradients have the same weights: one set will do.
        for (int rank = 0; rank < (m_sharesGradients ? 1 : m_ranks); ++rank) {
            LOCKSTEP_TRY_ASSIGN(m_virtual.emplace_back(), makeVirtualRank(m_run, m_job.device));
        }
        if (!m_sharesGradients) {
            m_outer.emplace(plan::outerStep(m_run), m_virtual.front()->parameters.weights());
        }
        return {};
    }

    /// Carries out the step; returns its loss over all samples.
    double step(std::int64_t step)
    {
        const double learningRate = learningRateAt(m_run, step, m_job.plan);
        if (!m_sharesGradients) {
            return stepOfWeights(step, learningRate);
        }
        using experiment::Rule;
        const Rule rule = m_aggregation.rule();
        // Compares a mean with that of the samples, so that unequal parts show.
        return rule == Rule::Mean || rule == Rule::WeightedMean || rule == Rule::Sum
            ? stepOfUnion(step, learningRate)
            : stepOfGradients(step, learningRate);
    }

private:
    [[nodiscard]] std::int64_t countOf(std::int64_t step, int rank)
    {
        return m_job.partition.sampler->count(step, rank);
    }

    [[nodiscard]] Batch batchOf(std::int64_t step, std::optional<int> number)
    {
        Batch batch = number ? m_batches.ofRank(step, *number) : m_batches.ofAll(step);
        if (m_order == SumOrder::Reversed || m_order == SumOrder::EvensFirst) {
            const torch::Tensor rows = rowsIn(m_order, batch.size(), m_job.device);
            batch = {batch.inputs.index_select(0, rows), batch.labels.index_select(0, rows)};
        }
        return batch;
    }

    /// Of one rank's samples, or of all.
    double gradient(VirtualRank& rank, std::int64_t step, std::optional<int> number)
    {
        if (number && countOf(step, *number) == 0) {
            rank.parameters.zeroGradients();
            return 0.0;
        }
        rank.parameters.clearGradients();
        const Batch batch = batchOf(step, number);
        if (m_microBatches == 1 && !m_job.optimizer->wantsWholeBatch() && m_order != SumOrder::InParts) {
            return addGradient(rank.net, batch, m_clock).item<double>();
        }
        return addGradientInChunks(rank.net, {batch.inputs, batch.labels}, piece(batch.size()), m_clock).item<double>();
    }

    /// How many samples are taken at once; the gradients of the pieces are added.
    [[nodiscard]] std::int64_t piece(std::int64_t samples) const
    {
        std::int64_t size = samples;
        if (m_microBatches > 1) {
            size = plan::microBatchSize(samples, m_microBatches);
        } else if (m_job.optimizer->wantsWholeBatch()) {
            size = std::min<std::int64_t>(samples, ChunkSamples);
        }
        // As ranks add theirs: of one batch, or of what the single process takes at once.
        const std::int64_t parts = std::max(2, m_ranks);
        return m_order == SumOrder::InParts ? (size + parts - 1) / parts : size;
    }

    void update(VirtualRank& rank, double learningRate)
    {
        torch::Tensor& gradients = rank.parameters.gradients();
        if (m_clip > 0.0) {
            clipGradients({&gradients, 1}, m_clip);
        }
        rank.optimizer->step({&gradients, 1}, learningRate);
    }

    double stepOfUnion(std::int64_t step, double learningRate)
    {
        VirtualRank& all = *m_virtual.front();
        const double loss = gradient(all, step, std::nullopt);
        if (m_aggregation.rule() == experiment::Rule::Sum) {
            all.parameters.gradients().mul_(static_cast<double>(m_job.partition.sampler->ranksWithSamples(step)));
        }
        update(all, learningRate);
        return loss;
    }

    double stepOfGradients(std::int64_t step, double learningRate)
    {
        VirtualRank& all = *m_virtual.front();
        std::vector<torch::Tensor> gradients;
        std::vector<std::int64_t> samples;
        double weighted = 0.0;
        for (int rank = 0; rank < m_ranks; ++rank) {
            const std::int64_t count = countOf(step, rank);
            weighted += gradient(all, step, rank) * static_cast<double>(count);
            gradients.push_back(all.parameters.gradients().clone());
            samples.push_back(count);
        }
        m_aggregation.combineHere(gradients, samples);
        all.parameters.gradients().copy_(gradients.front());
        update(all, learningRate);
        return weighted / static_cast<double>(m_job.partition.sampler->countOfAll(step));
    }

    double stepOfWeights(std::int64_t step, double learningRate)
    {
        double weighted = 0.0;
        m_samples.resize(m_virtual.size(), 0);
        for (int rank = 0; rank < m_ranks; ++rank) {
            VirtualRank& mine = *m_virtual[static_cast<std::size_t>(rank)];
            const std::int64_t count = countOf(step, rank);
            weighted += gradient(mine, step, rank) * static_cast<double>(count);
            m_samples[static_cast<std::size_t>(rank)] += count;
            update(mine, learningRate);
        }
        if (step % plan::stepsBetweenSynchronizations(m_run, m_job.plan) == 0) {
            synchronizeWeights();
        }
        return weighted / static_cast<double>(m_job.partition.sampler->countOfAll(step));
    }

    void synchronizeWeights()
    {
        std::vector<torch::Tensor> arrays;
        for (const auto& rank : m_virtual) {
            arrays.push_back(rank->parameters.weights().clone());
            m_outer->prepare(arrays.back());
        }
        m_aggregation.combineHere(arrays, m_samples);
        m_outer->step(arrays.front());
        for (const auto& rank : m_virtual) {
            rank->parameters.weights().copy_(arrays.front());
        }
        m_samples.assign(m_virtual.size(), 0);
    }

    const experiment::RunSpec& m_run;
    SumOrder m_order;
    int m_ranks;
    const Job& m_job;
    Aggregation m_aggregation;
    bool m_sharesGradients;
    std::int64_t m_microBatches; ///< of a pipeline, taken in turn
    double m_clip;
    StepClock m_clock;
    Batches m_batches;
    std::vector<std::unique_ptr<VirtualRank>> m_virtual;
    std::optional<OuterOptimizer> m_outer; ///< of ranks that train locally
    std::vector<std::int64_t> m_samples; ///< of each virtual rank since the last average
};

/// The losses of a single process that sums in this order.
Result<std::vector<double>> lossesOf(const experiment::RunSpec& run, const Job& job, SumOrder order, std::size_t steps)
{
    Reference reference(run, job, order);
    LOCKSTEP_TRY(reference.prepare());
    std::vector<double> losses;
    for (std::size_t step = 1; step <= steps; ++step) {
        losses.push_back(reference.step(static_cast<std::int64_t>(step)));
    }
    return losses;
}

struct Difference {
    double relative = 0.0;
    std::int64_t atStep = 0;
};

/// NaN and infinity count as a difference.
Difference largestDifference(std::span<const double> losses, std::span<const double> reference)
{
    Difference largest;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        const double difference = std::abs(losses[i] - reference[i]) / std::abs(reference[i]);
        if (!(difference <= largest.relative)) {
            largest = {difference, static_cast<std::int64_t>(i) + 1};
        }
    }
    return largest;
}

} // namespace

Result<wire::Verification> verify(const experiment::RunSpec& run, const Job& job, std::span<const double> losses)
{
    const MemoryScope scope(MemoryKind::Activations);
    LOCKSTEP_TRY_ASSIGN(const auto reference, lossesOf(run, job, SumOrder::AsTrained, losses.size()));
    const Difference largest = largestDifference(losses, reference);
    wire::Verification result{static_cast<std::int64_t>(losses.size()), largest.relative, largest.atStep, {}};
    if (is(run, experiment::WeightType::Float64)) {
        return result; // rounding is too small to be taken for an error
    }
    for (const SumOrder order : OtherOrders) {
        LOCKSTEP_TRY_ASSIGN(const auto reordered, lossesOf(run, job, order, losses.size()));
        result.drifts.push_back(largestDifference(reordered, reference).relative);
    }
    return result;
}

} // namespace lockstep::engine
