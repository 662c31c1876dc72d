// Data parallelism: every rank has the whole net and a part of each batch. Either the gradients are aggregated in every
// step, so that all ranks keep the same weights (Li et al., "PyTorch Distributed: experiences on accelerating data
// parallel training", 2020), or each rank trains alone and the weights are averaged every k steps (local SGD:
// Stich, "Local SGD converges fast and communicates little", 2019).
#pragma once

#include "engine/memory/memory_account.h"
#include "engine/strategy/data/aggregation.h"
#include "engine/strategy/data/gradient_buckets.h"
#include "engine/strategy/data/traffic_sampler.h"
#include "engine/strategy/rank_strategy.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/replica_gradient.h"
#include "plan/partition/dealing.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class DataParallel final : public RankStrategy {
public:
    DataParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group);

    [[nodiscard]] Result<void> begin() override;
    [[nodiscard]] int dataRank() const override { return rank(); }
    [[nodiscard]] bool needsFixedBatches() const override { return m_replica && m_replica->needsFixedBatches(); }
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledImages& test) override;
    /// "shares": what has been trained on since the last aggregation, [2 + ranks] int64.
    [[nodiscard]] State state() const override;
    void setState(const State& state) override;
    [[nodiscard]] std::int64_t agreedStep(std::int64_t step) const override;
    [[nodiscard]] double delayMs() const override { return group().bottleneck.delayMs(rank()); }
    [[nodiscard]] double slowdown() const override { return group().bottleneck.factor(rank()); }
    void count(StepRow& row) override;
    [[nodiscard]] bool isMeasured() const override { return m_isMeasured; }
    /// "ring over shm (the ranks run on the CPU)", and what is special about it.
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::string report() const override;

private:
    [[nodiscard]] bool takesStragglers() const override { return true; }

    /// Gradients in memory that the ranks aggregate without copying, where the backend has such memory.
    [[nodiscard]] Result<void> shareGradients();
    /// Gradients that leave piece by piece (comm.form).
    void makeBuckets();
    void countShares(std::int64_t step);
    /// Resets what countShares() has added up.
    Shares takeShares();
    /// Starts the phase Communicate; in a step that is measured all ranks meet first, so that all transfers begin at
    /// once.
    [[nodiscard]] Result<void> beginCommunication(std::int64_t step, StepClock& clock);
    /// Scaled gradients in, aggregated ones out: the job's own, or memory to read until the next step.
    [[nodiscard]] Result<torch::Tensor> aggregateGradients();
    [[nodiscard]] Result<void> aggregateWeights();
    /// The mean of every rank's weights, outside the training's own exchange: what local SGD is evaluated by.
    [[nodiscard]] Result<void> average(torch::Tensor& weights);

    const experiment::RunSpec& m_run;
    Job& m_job;
    Recorder& m_recorder;
    TrafficSampler m_traffic;
    Aggregation m_aggregation;
    bool m_sharesGradients; ///< else weights
    std::int64_t m_every;
    std::string m_form;
    double m_clip;
    bool m_isMeasured;
    std::unique_ptr<GradientBuckets> m_buckets; ///< null: one array
    std::unique_ptr<ReplicaGradient> m_replica; ///< from begin() on
    Shares m_shares; ///< since the last aggregation
    std::vector<bool> m_hadSamples; ///< by rank, since the last aggregation
    ForeignMemory m_ownMemory; ///< of m_gradients
    ForeignMemory m_resultMemory;
    std::shared_ptr<comm::SharedArray> m_gradients; ///< null: the gradients are in this rank's memory
};

[[nodiscard]] Result<std::unique_ptr<Strategy>> makeDataParallel(const StrategyContext& context);

} // namespace lockstep::engine
