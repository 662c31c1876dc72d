// Data parallelism through the asynchronous parameter server (async_server.h): each rank sends its gradient and
// continues with the server's current weights.
#pragma once

#include "engine/strategy/data/async_server.h"
#include "engine/strategy/data/traffic_sampler.h"
#include "engine/strategy/rank_strategy.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/replica_gradient.h"

#include <cstdint>
#include <memory>
#include <string>

namespace lockstep::engine {

class AsyncParallel final : public RankStrategy {
public:
    AsyncParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group);

    [[nodiscard]] Result<void> begin() override;
    [[nodiscard]] int dataRank() const override { return rank(); }
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    /// Rank 0 evaluates the server's weights; at the last step it waits for the other ranks first.
    [[nodiscard]] Result<Evaluates> prepareEvaluation(std::int64_t step) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledInputs& set) override;
    void endEvaluation() override;
    [[nodiscard]] bool isSynchronous() const override { return false; }
    [[nodiscard]] Result<void> finish() override;
    [[nodiscard]] std::int64_t agreedStep([[maybe_unused]] std::int64_t step) const override
    {
        return group().board->furthestStep() + 1;
    }
    void setClock(StepClock* clock) override;
    void count(StepRow& row) override;
    [[nodiscard]] Text description() const override;

private:
    void applyLinks() override { m_server->applyLinks(); }

    const experiment::RunSpec& m_run;
    Job& m_job;
    TrafficSampler m_traffic;
    ReplicaGradient m_replica;
    std::unique_ptr<AsyncServer> m_server; ///< from begin() on
    AsyncServer::Exchanged m_exchanged; ///< of the last step
    torch::Tensor m_ownWeights; ///< of rank 0, while it evaluates the server's
};

} // namespace lockstep::engine
