#include "engine/strategy/local/local_sgd.h"

#include <fmt/format.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <utility>

namespace lockstep::engine {

LocalSgd::LocalSgd(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : ReplicaStrategy(context, std::move(group))
    , m_every(plan::stepsBetweenSynchronizations(context.run, context.job.plan))
    , m_outerStep(plan::outerStep(context.run))
{ }

Result<void> LocalSgd::begin()
{
    LOCKSTEP_TRY(shareWeights());
    m_outer.emplace(m_outerStep, job().parameters.weights());
    makeReplica(ReplicaGradient::Graphs::Allowed);
    return {};
}

Result<torch::Tensor> LocalSgd::gradient(const StepInput& input, StepClock& clock)
{
    countShares(input.step);
    // Ranks only communicate at the end of every k-th step.
    traffic().beginStep(input.step, agreedStep(input.step) + m_every - 1);
    return replica().compute(input.batch, 1.0, clock);
}

Result<void> LocalSgd::update(std::int64_t step, double learningRate, StepClock& clock)
{
    LOCKSTEP_TRY(optimize(job().parameters.gradients(), learningRate, clock));
    if (step % m_every != 0) {
        return {};
    }
    LOCKSTEP_TRY(beginCommunication(step, clock));
    LOCKSTEP_TRY(aggregateWeights(takeShares()));
    m_outer->step(job().parameters.weights());
    return {};
}

Result<void> LocalSgd::aggregateWeights(const Shares& shares)
{
    const torch::NoGradGuard noGrad;
    torch::Tensor& weights = job().parameters.weights();
    m_outer->prepare(weights);
    const double scale = aggregation().scaleOf(shares);
    if (scale != 1.0) {
        weights.mul_(scale);
    }
    return aggregation().carryOut(ranks(), weights);
}

Result<Strategy::Evaluates> LocalSgd::prepareEvaluation([[maybe_unused]] std::int64_t step)
{
    torch::Tensor& weights = job().parameters.weights();
    m_ownWeights = weights.clone();
    if (shares().all > 0) { // without steps since the last synchronization all ranks have the same weights
        LOCKSTEP_TRY(aggregateWeights(shares()));
        LOCKSTEP_TRY(ranks().finish());
        m_outer->preview(weights);
    }
    return Evaluates::Here;
}

Result<TestScore> LocalSgd::evaluate(const LabelledInputs& set)
{
    return scoreOfAll(engine::evaluate(job().net, shareOf(set, rank(), ranks().size())).numbers());
}

void LocalSgd::endEvaluation()
{
    const torch::NoGradGuard noGrad;
    job().parameters.weights().copy_(m_ownWeights);
    m_ownWeights.reset();
}

Strategy::State LocalSgd::state() const
{
    State state = ReplicaStrategy::state();
    state.merge(m_outer->state());
    return state;
}

void LocalSgd::setState(const State& state)
{
    ReplicaStrategy::setState(state);
    m_outer->setState(state);
}

Text LocalSgd::report() const
{
    if (m_outerStep.isMean()) {
        return {LS_TR("Messages", "the ranks averaged their weights every %1 steps"), {m_every}};
    }
    return {LS_TR("Messages", "the ranks synchronized every %1 steps, outer learning rate %2, outer momentum %3"),
        {m_every, verbatim(fmt::format("{}", m_outerStep.learningRate)),
            verbatim(fmt::format("{}", m_outerStep.momentum))}};
}

} // namespace lockstep::engine
