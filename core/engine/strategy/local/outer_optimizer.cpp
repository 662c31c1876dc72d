#include "engine/strategy/local/outer_optimizer.h"

#include "engine/memory/memory_account.h"

#include <torch/types.h>
#include <torch/utils.h>

namespace lockstep::engine {

OuterOptimizer::OuterOptimizer(const plan::OuterStep& step, const torch::Tensor& weights)
    : m_step(step)
{
    const torch::NoGradGuard noGrad;
    const MemoryScope asOptimizer(MemoryKind::Optimizer);
    if (!step.isMean()) {
        m_old = weights.detach().clone();
    }
    if (step.momentum > 0.0) {
        m_velocity = torch::zeros_like(m_old);
    }
}

void OuterOptimizer::prepare(torch::Tensor& weights) const
{
    const torch::NoGradGuard noGrad;
    if (m_step.sendsDifferences) {
        weights.neg_().add_(m_old);
    }
}

void OuterOptimizer::step(torch::Tensor& aggregated)
{
    if (m_step.isMean()) {
        return;
    }
    const torch::NoGradGuard noGrad;
    if (!m_step.sendsDifferences) {
        aggregated.neg_().add_(m_old);
    }
    if (m_velocity.defined()) {
        m_velocity.mul_(m_step.momentum).add_(aggregated);
        aggregated.add_(m_velocity, m_step.momentum);
    }
    aggregated.mul_(-m_step.learningRate).add_(m_old);
    m_old.copy_(aggregated);
}

void OuterOptimizer::preview(torch::Tensor& aggregated) const
{
    if (m_step.isMean()) {
        return;
    }
    const torch::NoGradGuard noGrad;
    if (!m_step.sendsDifferences) {
        aggregated.neg_().add_(m_old);
    }
    if (m_velocity.defined()) { // d + momentum (momentum v + d)
        aggregated.mul_(1.0 + m_step.momentum).add_(m_velocity, m_step.momentum * m_step.momentum);
    }
    aggregated.mul_(-m_step.learningRate).add_(m_old);
}

Strategy::State OuterOptimizer::state() const
{
    Strategy::State state;
    if (m_old.defined()) {
        state["outer.weights"] = m_old;
    }
    if (m_velocity.defined()) {
        state["outer.velocity"] = m_velocity;
    }
    return state;
}

void OuterOptimizer::setState(const Strategy::State& state)
{
    const torch::NoGradGuard noGrad;
    if (m_old.defined()) {
        m_old.copy_(state.at("outer.weights"));
    }
    if (m_velocity.defined()) {
        m_velocity.copy_(state.at("outer.velocity"));
    }
}

} // namespace lockstep::engine
