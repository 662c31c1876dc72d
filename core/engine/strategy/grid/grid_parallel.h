// A net cut by layers (pipeline), inside layers (tensor) and copied (data parallel), in any combination: the strategies
// pipeline, tensor and grid. Who stands where is plan/grid.h's.
#pragma once

#include "engine/memory/memory_account.h"
#include "engine/strategy/model_parallel.h"
#include "engine/strategy/pipeline/pipeline.h"
#include "plan/grid.h"

#include <memory>

namespace lockstep::engine {

class GridParallel final : public ModelParallel {
public:
    [[nodiscard]] static Result<std::unique_ptr<ModelParallel>> create(
        const experiment::RunSpec& run, RankGroup& group, Job& job);

    [[nodiscard]] int dataRank() const override { return m_place.data; }
    [[nodiscard]] bool hasLoss() const override { return m_pipeline->hasLoss() && m_place.part == 0; }
    [[nodiscard]] Result<torch::Tensor> gradient(
        const Batch& batch, std::int64_t wholeBatch, StepClock& clock) override;
    [[nodiscard]] Result<void> update(double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledImages& test) override;
    [[nodiscard]] Result<void> finish() override { return m_pipeline->finish(); }
    [[nodiscard]] bool takesLinks() const override { return m_pipeline->takesLinks(); }
    [[nodiscard]] Result<void> afterRestore() override { return m_job.shards ? gatherWeights() : Result<void>(); }
    void applyLinks() override;
    [[nodiscard]] Traffic takeBytesSent() override;
    [[nodiscard]] std::string description() const override;

private:
    GridParallel(const experiment::RunSpec& run, RankGroup& group, Job& job);
    [[nodiscard]] Result<void> connect(const experiment::RunSpec& run);
    [[nodiscard]] Result<void> shareGradients();
    /// Over the copies of the net; the result may be memory that is for reading until the next step.
    [[nodiscard]] Result<torch::Tensor> sumOfCopies();
    /// As clipGradients, by the norm over the whole net.
    [[nodiscard]] Result<void> clip(torch::Tensor& gradients);
    /// ZeRO-1 among the copies: each takes the optimizer's step on its part.
    [[nodiscard]] Result<void> updateShards(double learningRate, StepClock& clock);
    [[nodiscard]] Result<void> gatherWeights();
    /// Of what this rank counts: a weight that several ranks have whole is counted by the first of them.
    [[nodiscard]] double ownSquares(const torch::Tensor& gradients) const;

    RankGroup& m_group;
    Job& m_job;
    plan::GridShape m_shape;
    plan::GridPlace m_place;
    double m_clip;
    std::unique_ptr<SubGroup> m_copies; ///< null without
    std::unique_ptr<SubGroup> m_stages;
    std::unique_ptr<SubGroup> m_parts; ///< null without
    std::unique_ptr<Pipeline> m_pipeline;
    ForeignMemory m_ownMemory; ///< of m_gradients
    ForeignMemory m_resultMemory;
    std::shared_ptr<comm::SharedArray> m_gradients; ///< null: they are in memory of this rank's own
};

} // namespace lockstep::engine
