// ZeRO (plan/zero.h): every rank works on its own part of each batch with the whole net, and keeps only its part of the
// optimizer's state, of the gradients, of the weights. The sums are those of data parallelism that counts every sample
// the same (aggregation.rule weighted_mean), in the same order where the backend adds in one order: then the weights
// are the same to the last bit.
#pragma once

#include "engine/strategy/model_parallel.h"
#include "engine/ranks/rank_group.h"
#include "engine/strategy/zero/unit_exchange.h"
#include "engine/strategy/job.h"
#include "plan/zero.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class Zero final : public ModelParallel {
public:
    /// `group` and `job`, whose weights are in shards, must outlive this.
    Zero(const experiment::RunSpec& run, RankGroup& group, Job& job);
    ~Zero() override;

    [[nodiscard]] int dataRank() const override { return m_shards.rank; }
    [[nodiscard]] bool hasLoss() const override { return true; }
    /// Communicate is booked where this rank waits for what is under way, Forward and Backward while it does not.
    [[nodiscard]] Result<torch::Tensor> gradient(
        const Batch& batch, std::int64_t wholeBatch, StepClock& clock) override;
    [[nodiscard]] Result<void> update(double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledImages& test) override;
    [[nodiscard]] Result<void> afterRestore() override;
    [[nodiscard]] Result<torch::Tensor> wholeWeights() override;
    void applyLinks() override { } // they are the group's own
    [[nodiscard]] Traffic takeBytesSent() override;
    [[nodiscard]] std::int64_t takeHiddenNs() override;
    [[nodiscard]] std::string description() const override;

private:
    /// What a unit was given, and what it made of it.
    struct Held {
        torch::Tensor input;
        torch::Tensor output;
    };

    [[nodiscard]] std::size_t units() const { return m_shards.units.size(); }
    [[nodiscard]] torch::Tensor run(std::size_t unit, const torch::Tensor& input);
    [[nodiscard]] Result<void> need(std::size_t unit, std::optional<std::size_t> next, StepClock& clock);
    [[nodiscard]] Result<void> forward(const Batch& batch, StepClock& clock);
    /// From the loss, or from the gradient of the unit's output; nothing without samples.
    [[nodiscard]] Result<void> backward(const torch::Tensor& loss, double scale, StepClock& clock);
    [[nodiscard]] Result<void> clip();
    [[nodiscard]] Result<TestSums> evaluateByUnits(const LabelledImages& mine, std::int64_t most);

    RankGroup& m_group;
    Job& m_job;
    Shards& m_shards;
    plan::ZeroStage m_stage;
    bool m_prefetches;
    double m_clip;
    UnitExchange m_exchange; ///< stages 2 and 3
    std::vector<Held> m_held; ///< by unit, between its passes
};

[[nodiscard]] Result<std::unique_ptr<ModelParallel>> makeZero(
    const experiment::RunSpec& run, RankGroup& group, Job& job);

} // namespace lockstep::engine
