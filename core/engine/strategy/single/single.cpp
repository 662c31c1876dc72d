#include "engine/strategy/single/single.h"

#include <torch/types.h>

#include <utility>

namespace lockstep::engine {

Single::Single(const StrategyContext& context, std::unique_ptr<ControlBoard> board)
    : m_job(context.job)
    , m_clip(context.run.settings->optimizer.clip)
    , m_board(std::move(board))
    , m_replica(context.run, 0, context.job, context.recorder, ReplicaGradient::Graphs::Allowed)
{ }

Result<torch::Tensor> Single::gradient(const StepInput& input, StepClock& clock)
{
    return m_replica.compute(input.batch, 1.0, clock);
}

Result<void> Single::update([[maybe_unused]] std::int64_t step, double learningRate, StepClock& clock)
{
    clock.begin(Phase::Optimize);
    return applyGradient(m_job, {&m_job.parameters.gradients(), 1}, m_clip, learningRate, m_noPeers);
}

Result<TestScore> Single::evaluate(const LabelledInputs& set)
{
    return engine::evaluate(m_job.net, set).score();
}

} // namespace lockstep::engine
