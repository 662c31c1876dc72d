// A net cut by layers (pipeline), inside layers (tensor: Shoeybi et al., "Megatron-LM", 2019) and copied (data
// parallel), in any combination: the strategies pipeline, tensor and grid. plan/grid.h says which rank has which place,
// model/ has the layers' parts, ranks/tensor_ranks.h their sums.
#pragma once

#include "engine/strategy/model_parallel/pipeline/pipeline.h"
#include "engine/strategy/rank_strategy.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/shared_gradients.h"
#include "plan/grid.h"

#include <memory>
#include <vector>

namespace lockstep::engine {

class GridParallel final : public RankStrategy {
public:
    [[nodiscard]] static Result<std::unique_ptr<Strategy>> create(const StrategyContext& context);

    [[nodiscard]] int dataRank() const override { return m_place.data; }
    [[nodiscard]] bool reportsSamples() const override { return m_pipeline->hasLoss() && m_place.part == 0; }
    [[nodiscard]] bool needsFixedBatches() const override { return m_pipeline->needsFixedBatches(); }
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) override;
    [[nodiscard]] Result<void> update(std::int64_t step, double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledInputs& set) override;
    [[nodiscard]] Result<void> finish() override { return m_pipeline->finish(); }
    [[nodiscard]] Result<void> afterRestore() override { return m_job.shards ? gatherWeights() : Result<void>(); }
    void setClock(StepClock* clock) override;
    void count(StepRow& row) override;
    [[nodiscard]] Text description() const override;

private:
    GridParallel(const StrategyContext& context, std::unique_ptr<RankGroup> group);
    [[nodiscard]] Result<void> connect(const experiment::RunSpec& run);
    [[nodiscard]] bool takesLinks() const override { return m_pipeline->takesLinks(); }
    void applyLinks() override;
    [[nodiscard]] Traffic takeBytesSent();
    /// Of the elements that this rank counts: only the first rank counts a weight that several have whole.
    [[nodiscard]] double ownSquares(std::span<const torch::Tensor> gradients) const override;
    [[nodiscard]] Result<void> allReduceParts(std::span<double> numbers) override
    {
        return group().allReduceSum(numbers);
    }
    /// The groups that this rank is in, besides that of all ranks.
    [[nodiscard]] std::vector<SubGroup*> groups() const;
    /// Over the copies of the net; the result may be memory that is read-only until the next step.
    [[nodiscard]] Result<torch::Tensor> sumOfCopies();
    /// ZeRO-1 among the copies: each takes the optimizer's step on its part.
    [[nodiscard]] Result<void> updateShards(double learningRate, StepClock& clock);
    [[nodiscard]] Result<void> gatherWeights();

    Job& m_job;
    Recorder& m_recorder;
    plan::GridShape m_shape;
    plan::GridPlace m_place;
    double m_clip;
    std::unique_ptr<SubGroup> m_copies; ///< null without
    std::unique_ptr<SubGroup> m_stages;
    std::unique_ptr<SubGroup> m_tensor; ///< that share each layer; null where ranks have their layers whole
    std::unique_ptr<Pipeline> m_pipeline;
    SharedGradients m_gradients; ///< of the copies
};

} // namespace lockstep::engine
