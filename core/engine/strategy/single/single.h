// One process: the net, the batch and the optimizer's state are whole.
#pragma once

#include "engine/strategy/apply_gradient.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/replica_gradient.h"

#include <memory>

namespace lockstep::engine {

class Single final : public Strategy {
public:
    Single(const StrategyContext& context, std::unique_ptr<ControlBoard> board);

    [[nodiscard]] bool needsFixedBatches() const override { return m_replica.needsFixedBatches(); }
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledInputs& set) override;
    [[nodiscard]] ControlBoard& board() override { return *m_board; }

private:
    Job& m_job;
    double m_clip;
    std::unique_ptr<ControlBoard> m_board;
    ReplicaGradient m_replica;
    GradientPeers m_noPeers;
};

} // namespace lockstep::engine
