#include "engine/strategy/data/async_parallel.h"

#include "base/clock.h"
#include "engine/ranks/tensor_view.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <utility>

namespace lockstep::engine {

AsyncParallel::AsyncParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : RankStrategy(std::move(group))
    , m_run(context.run)
    , m_job(context.job)
    , m_traffic(this->group(), context.recorder)
    // The server's threads use the same stream, so it cannot be recorded.
    , m_replica(context.run, rank(), context.job, context.recorder, ReplicaGradient::Graphs::Off)
{ }

Result<void> AsyncParallel::begin()
{
    LOCKSTEP_TRY(ranks().broadcast(viewOf(m_job.parameters.weights()), 0));
    ranks().takeBytesSent();
    LOCKSTEP_TRY_ASSIGN(
        m_server, AsyncServer::start(m_run, group(), m_job.plan, m_job.parameters.weights(), m_job.stream.get()));
    return {};
}

Result<torch::Tensor> AsyncParallel::gradient(const StepInput& input, StepClock& clock)
{
    m_traffic.beginStep(input.step, agreedStep(input.step));
    // A rank counts by its share, so that all of a step's gradients together are as large as the whole batch's.
    const double scale = m_run.settings->aggregation.rule == experiment::Rule::Sum
        ? 1.0
        : static_cast<double>(m_job.partition.sampler->count(input.step, rank()))
            / static_cast<double>(input.wholeBatch);
    return m_replica.compute(input.batch, scale, clock);
}

Result<void> AsyncParallel::update(std::int64_t step, [[maybe_unused]] double learningRate, StepClock& clock)
{
    clock.begin(Phase::Communicate);
    LOCKSTEP_TRY_ASSIGN(
        m_exchanged, m_server->exchange(step, m_job.parameters.gradients(), m_job.parameters.weights()));
    if (rank() == 0) { // which sends the server nothing: its own gradient is there
        const std::int64_t now = monotonicNs();
        clock.communicated({now - m_exchanged.heldNs, now, now});
    }
    return {};
}

void AsyncParallel::setClock(StepClock* clock)
{
    RankStrategy::setClock(clock);
    m_server->setTimer(timerOf(clock));
}

Result<Strategy::Evaluates> AsyncParallel::prepareEvaluation(std::int64_t step)
{
    if (rank() != 0) {
        return Evaluates::Elsewhere;
    }
    if (step == m_job.plan.totalSteps) {
        LOCKSTEP_TRY(m_server->waitForStep(step));
    }
    torch::Tensor& weights = m_job.parameters.weights();
    m_ownWeights = weights.clone();
    m_server->copyWeights(weights);
    return Evaluates::Here;
}

Result<TestScore> AsyncParallel::evaluate(const LabelledInputs& set)
{
    return engine::evaluate(m_job.net, set).score();
}

void AsyncParallel::endEvaluation()
{
    const torch::NoGradGuard noGrad;
    m_job.parameters.weights().copy_(m_ownWeights);
    m_ownWeights.reset();
}

Result<void> AsyncParallel::finish()
{
    return m_server->finish();
}

void AsyncParallel::count(StepRow& row)
{
    row.bytesSent = static_cast<std::int64_t>(ranks().takeBytesSent()) + m_server->takeBytesSent();
    row.staleness = m_exchanged.staleness;
}

Text AsyncParallel::description() const
{
    return overLinks({LS_TR("Messages", "%1 over %2"),
        {verbatim(nameOf(m_run.settings->aggregation.algorithm)), group().backendReason}});
}

} // namespace lockstep::engine
