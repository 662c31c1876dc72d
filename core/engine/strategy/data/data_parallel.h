// Data parallelism: every rank has the whole net and a part of each batch, and the gradients are aggregated in every
// step, so that all ranks keep the same weights (Li et al., "PyTorch Distributed: experiences on accelerating data
// parallel training", 2020).
#pragma once

#include "engine/strategy/data/gradient_buckets.h"
#include "engine/strategy/data/replica_strategy.h"
#include "engine/strategy/shared_gradients.h"

#include <cstdint>
#include <memory>
#include <string>

namespace lockstep::engine {

class DataParallel final : public ReplicaStrategy {
public:
    DataParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group);

    [[nodiscard]] Result<void> begin() override;
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledInputs& set) override;
    void count(StepRow& row) override;
    [[nodiscard]] Text report() const override;

private:
    /// Gradients that are sent piece by piece (comm.form).
    [[nodiscard]] Result<void> makeBuckets();
    /// Aggregates scaled gradients; returns the job's own memory, or memory that is read-only until the next step.
    [[nodiscard]] Result<torch::Tensor> aggregateGradients(StepClock& clock);

    experiment::GradientForm m_form;
    std::unique_ptr<GradientBuckets> m_buckets; ///< null: one array
    SharedGradients m_gradients;
};

} // namespace lockstep::engine
