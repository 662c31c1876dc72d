// Local SGD: each rank trains its own copy of the net with its own optimizer, and every k steps the ranks synchronize
// their weights, through an outer optimizer where there is one (plan/local_sgd.h). Strategy `local`, and data
// parallelism with aggregation.what=weights.
#pragma once

#include "engine/strategy/data/replica_strategy.h"
#include "engine/strategy/local/outer_optimizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lockstep::engine {

class LocalSgd final : public ReplicaStrategy {
public:
    LocalSgd(const StrategyContext& context, std::unique_ptr<RankGroup> group);

    [[nodiscard]] Result<void> begin() override;
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    /// Evaluates the weights that a synchronization would make of the ranks' now; each rank keeps training its own.
    [[nodiscard]] Result<Evaluates> prepareEvaluation(std::int64_t step) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledInputs& set) override;
    void endEvaluation() override;
    [[nodiscard]] State state() const override;
    void setState(const State& state) override;
    /// No rank can pass the next synchronization without rank 0.
    [[nodiscard]] std::int64_t agreedStep(std::int64_t step) const override
    {
        return (step + m_every - 1) / m_every * m_every + 1;
    }
    [[nodiscard]] Text report() const override;

private:
    /// Leaves what the outer optimizer steps from in the weights.
    [[nodiscard]] Result<void> aggregateWeights(const Shares& shares);

    std::int64_t m_every;
    plan::OuterStep m_outerStep;
    std::optional<OuterOptimizer> m_outer; ///< from begin() on
    torch::Tensor m_ownWeights; ///< of this rank, while the ranks' common weights are evaluated
};

} // namespace lockstep::engine
