// ZeRO (plan/zero.h): every rank works on its own part of each batch with the whole net, and keeps only its part of the
// optimizer's state, of the gradients, of the weights. The sums are those of data parallelism with equally weighted
// samples (aggregation.rule weighted_mean); if the backend adds in a fixed order, the weights are bitwise equal.
#pragma once

#include "engine/strategy/rank_strategy.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/replica_gradient.h"
#include "engine/strategy/zero/unit_exchange.h"
#include "plan/zero.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class Zero final : public RankStrategy {
public:
    Zero(const StrategyContext& context, std::unique_ptr<RankGroup> group);
    ~Zero() override;

    [[nodiscard]] int dataRank() const override { return m_shards.rank; }
    [[nodiscard]] bool needsFixedBatches() const override
    {
        return isStage(plan::ZeroStage::OptimizerState) && m_replica.needsFixedBatches();
    }
    [[nodiscard]] Result<void> begin() override;
    /// Communicate is counted where this rank waits for an operation, Forward and Backward where it computes.
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledInputs& set) override;
    [[nodiscard]] Result<void> afterRestore() override;
    [[nodiscard]] Result<torch::Tensor> wholeWeights() override;
    void count(StepRow& row) override;
    [[nodiscard]] Text description() const override;

private:
    /// A unit's input and output.
    struct Held {
        torch::Tensor input;
        torch::Tensor output;
    };

    /// What is particular to a micro-batch of a step.
    struct MicroBatch {
        UnitExchange::Sum sum = UnitExchange::Sum::Replaces;
        bool isLast = true;
        const StepInput& step;
    };

    [[nodiscard]] Result<void> allReduceParts(std::span<double> numbers) override
    {
        return group().allReduceSum(numbers);
    }
    [[nodiscard]] bool isStage(plan::ZeroStage stage) const { return m_stage == stage; }
    [[nodiscard]] std::size_t units() const { return m_shards.units.size(); }
    [[nodiscard]] torch::Tensor run(std::size_t unit, const torch::Tensor& input);
    [[nodiscard]] Result<void> need(std::size_t unit, std::optional<std::size_t> next, StepClock& clock);
    /// Of `scale` times the mean loss; returns the mean loss.
    [[nodiscard]] Result<torch::Tensor> gradientOfMicroBatch(
        const Batch& batch, double scale, const MicroBatch& place, StepClock& clock);
    [[nodiscard]] Result<void> forward(const Batch& batch, StepClock& clock);
    /// From the loss, or from the gradient of the unit's output; nothing without samples.
    [[nodiscard]] Result<void> backward(
        const torch::Tensor& loss, double scale, const MicroBatch& place, StepClock& clock);
    [[nodiscard]] Result<TestSums> evaluateByUnits(const LabelledInputs& mine, std::int64_t most);

    Job& m_job;
    Shards& m_shards;
    plan::ZeroStage m_stage;
    bool m_prefetches;
    std::vector<bool> m_isRecomputed; ///< by unit: backward, which needs its weights anyway, runs it again
    std::int64_t m_microBatches;
    double m_clip;
    ReplicaGradient m_replica; ///< stage 1
    UnitExchange m_exchange; ///< stages 2 and 3
    std::vector<Held> m_held; ///< by unit, between its passes
};

} // namespace lockstep::engine
