#include "engine/strategy/data/replica_strategy.h"

#include "engine/ranks/tensor_view.h"
#include "engine/strategy/data/measure_cost.h"

#include <torch/types.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

ReplicaStrategy::ReplicaStrategy(const StrategyContext& context, std::unique_ptr<RankGroup> group)
    : RankStrategy(std::move(group))
    , m_run(context.run)
    , m_job(context.job)
    , m_recorder(context.recorder)
    , m_traffic(this->group(), context.recorder)
    , m_aggregation(context.run)
    , m_clip(context.run.settings->optimizer.clip)
    , m_isMeasured(context.run.settings->measure.mode == experiment::MeasureMode::Measure)
    , m_hadSamples(static_cast<std::size_t>(ranks().size()), false)
{ }

Result<void> ReplicaStrategy::shareWeights()
{
    LOCKSTEP_TRY(ranks().broadcast(viewOf(m_job.parameters.weights()), 0));
    ranks().takeBytesSent();
    return {};
}

void ReplicaStrategy::makeReplica(ReplicaGradient::Graphs graphs)
{
    m_replica = std::make_unique<ReplicaGradient>(m_run, rank(), m_job, m_recorder, graphs);
}

const Shares& ReplicaStrategy::countShares(std::int64_t step)
{
    plan::DistributedSampler& sampler = *m_job.partition.sampler;
    for (int each = 0; each < sampler.ranks(); ++each) {
        const std::int64_t samples = sampler.count(step, each);
        m_shares.all += samples;
        m_shares.own += each == rank() ? samples : 0;
        m_hadSamples[static_cast<std::size_t>(each)] = m_hadSamples[static_cast<std::size_t>(each)] || samples > 0;
    }
    m_shares.ranksWithSamples = static_cast<int>(std::count(m_hadSamples.begin(), m_hadSamples.end(), true));
    return m_shares;
}

Shares ReplicaStrategy::takeShares()
{
    m_hadSamples.assign(m_hadSamples.size(), false);
    return std::exchange(m_shares, Shares{});
}

Result<void> ReplicaStrategy::beginCommunication(std::int64_t step, StepClock& clock)
{
    if (m_isMeasured && MeasureCost::isMeasured(step)) {
        clock.begin(Phase::Wait);
        LOCKSTEP_TRY(synchronize());
        LOCKSTEP_TRY(ranks().barrier());
    }
    clock.begin(Phase::Communicate);
    clock.setArrival();
    return {};
}

Result<void> ReplicaStrategy::optimize(torch::Tensor gradients, double learningRate, StepClock& clock)
{
    clock.begin(Phase::Optimize);
    if (writesGradients(m_job, m_clip)) {
        gradients = ownGradients(m_job, gradients);
    }
    return applyGradient(m_job, {&gradients, 1}, m_clip, learningRate, *this);
}

Strategy::State ReplicaStrategy::state() const
{
    std::vector<std::int64_t> values{m_shares.own, m_shares.all};
    values.insert(values.end(), m_hadSamples.begin(), m_hadSamples.end());
    return {{"shares", torch::tensor(values, torch::kLong)}};
}

void ReplicaStrategy::setState(const State& state)
{
    const auto* values = state.at("shares").data_ptr<std::int64_t>();
    m_shares.own = values[0];
    m_shares.all = values[1];
    for (std::size_t each = 0; each < m_hadSamples.size(); ++each) {
        m_hadSamples[each] = values[2 + each] != 0;
    }
}

void ReplicaStrategy::count(StepRow& row)
{
    row.bytesSent = static_cast<std::int64_t>(ranks().takeBytesSent());
}

Text ReplicaStrategy::description() const
{
    return overLinks({LS_TR("Messages", "%1 over %2"),
        {verbatim(nameOf(m_run.settings->aggregation.algorithm)), group().backendReason}});
}

} // namespace lockstep::engine
