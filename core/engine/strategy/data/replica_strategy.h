// Common to data parallelism and local SGD: every rank has the whole net and its own samples, and the ranks aggregate
// arrays of equal length, gradients or weights.
#pragma once

#include "engine/strategy/data/aggregation.h"
#include "engine/strategy/data/traffic_sampler.h"
#include "engine/strategy/rank_strategy.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/replica_gradient.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class ReplicaStrategy : public RankStrategy {
public:
    ReplicaStrategy(const StrategyContext& context, std::unique_ptr<RankGroup> group);

    [[nodiscard]] int dataRank() const final { return rank(); }
    [[nodiscard]] bool needsFixedBatches() const final { return m_replica && m_replica->needsFixedBatches(); }
    /// "shares": the samples since the last aggregation, [2 + ranks] int64.
    [[nodiscard]] State state() const override;
    void setState(const State& state) override;
    void count(StepRow& row) override;
    [[nodiscard]] bool isMeasured() const final { return m_isMeasured; }
    /// "ring over shm (the ranks run on the CPU)", and special features.
    [[nodiscard]] Text description() const override;

protected:
    /// All ranks begin with rank 0's weights.
    [[nodiscard]] Result<void> shareWeights();
    void makeReplica(ReplicaGradient::Graphs graphs);
    [[nodiscard]] ReplicaGradient& replica() { return *m_replica; }
    [[nodiscard]] const experiment::RunSpec& run() const { return m_run; }
    [[nodiscard]] Job& job() const { return m_job; }
    [[nodiscard]] TrafficSampler& traffic() { return m_traffic; }
    [[nodiscard]] Aggregation& aggregation() { return m_aggregation; }

    /// Adds the samples of `step` to those since the last aggregation.
    const Shares& countShares(std::int64_t step);
    /// What countShares() has added up since the last aggregation.
    [[nodiscard]] const Shares& shares() const { return m_shares; }
    /// Resets it.
    Shares takeShares();
    /// Starts the phase Communicate; in a step that is measured all ranks meet first, so that all transfers begin at
    /// once.
    [[nodiscard]] Result<void> beginCommunication(std::int64_t step, StepClock& clock);
    /// The job's optimizer, with the gradients that are in the job or in memory that other ranks read.
    [[nodiscard]] Result<void> optimize(torch::Tensor gradients, double learningRate, StepClock& clock);

private:
    const experiment::RunSpec& m_run;
    Job& m_job;
    Recorder& m_recorder;
    TrafficSampler m_traffic;
    Aggregation m_aggregation;
    double m_clip;
    bool m_isMeasured;
    std::unique_ptr<ReplicaGradient> m_replica; ///< from makeReplica() on
    Shares m_shares; ///< since the last aggregation
    std::vector<bool> m_hadSamples; ///< by rank, since the last aggregation
};

} // namespace lockstep::engine
