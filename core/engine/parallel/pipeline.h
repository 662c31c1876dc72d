// Pipeline parallelism: the net is cut by layers into parts, each rank has one (or, interleaved, several) of them, and
// the micro-batches of a step go through (Huang et al., "GPipe", 2019; Narayanan et al. 2021). What each rank does when
// is plan/pipeline's; here it is carried out with messages between neighbours. Gradients add up over the micro-batches
// in their order, so a step gives the very numbers of one process that takes the same micro-batches in turn.
#pragma once

#include "engine/parallel/model_parallel.h"
#include "engine/parallel/pipeline_channel.h"
#include "engine/parallel/rank_group.h"
#include "engine/train/job.h"
#include "plan/pipeline/schedule.h"
#include "plan/slices.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class Pipeline final : public ModelParallel {
public:
    /// `group` and `job` must outlive this.
    [[nodiscard]] static Result<std::unique_ptr<Pipeline>> create(
        const experiment::RunSpec& run, RankGroup& group, Job& job);
    ~Pipeline() override;

    [[nodiscard]] bool hasLoss() const override { return m_stage == m_shape.stages - 1; }
    [[nodiscard]] Result<torch::Tensor> gradient(
        const Batch& batch, std::int64_t wholeBatch, StepClock& clock) override;
    [[nodiscard]] Result<void> update(double learningRate, StepClock& clock) override;
    [[nodiscard]] Result<TestScore> evaluate(const LabelledImages& test) override;
    void applyLinks() override;
    [[nodiscard]] std::int64_t takeBytesSent() override;
    [[nodiscard]] std::string description() const override;

private:
    /// One of this rank's parts of the net.
    struct Part {
        plan::Slice layers;
        int number = 0; ///< among all parts of the net
        std::vector<std::int64_t> inputSizes; ///< of one sample; of the net's first part: nothing
        std::vector<std::int64_t> outputSizes;
        std::map<int, std::pair<torch::Tensor, torch::Tensor>> held; ///< input and output by micro-batch
    };
    struct Neighbours {
        std::unique_ptr<PipelineChannel> fromBefore;
        std::unique_ptr<PipelineChannel> toAfter;
    };

    Pipeline(const experiment::RunSpec& run, RankGroup& group, Job& job);
    [[nodiscard]] Result<void> connect(bool isTied);
    [[nodiscard]] Result<void> shareMemory(std::int64_t samples);
    void beginAll(PipelineChannel::Mode mode);
    [[nodiscard]] bool isFirst(const Part& part) const { return part.number == 0; }
    [[nodiscard]] bool isLast(const Part& part) const { return part.number == m_shape.stages * m_shape.chunks - 1; }
    [[nodiscard]] plan::Slice microBatch(int number) const;
    [[nodiscard]] torch::Tensor run(const Part& part, const torch::Tensor& input);
    void expectAll();
    [[nodiscard]] Result<void> forward(Part& part, int number, const Batch& batch, StepClock& clock);
    [[nodiscard]] Result<void> backward(Part& part, int number, StepClock& clock);
    [[nodiscard]] Result<void> flush();
    /// Of a weight that the first and the last layer share, each end has its own copy and its part of the gradient.
    [[nodiscard]] Result<void> addUpTied();
    /// As clipGradients, by the norm over all parts.
    [[nodiscard]] Result<void> clip(torch::Tensor& gradients);

    RankGroup& m_group;
    Job& m_job;
    double m_clip;
    std::string m_scheduleName;
    plan::PipelineShape m_shape;
    int m_stage;
    std::vector<plan::PipelineAction> m_actions;
    std::vector<Part> m_parts; ///< by chunk
    torch::TensorOptions m_options; ///< of what goes between parts
    Neighbours m_activations; ///< null where there is no neighbour
    std::unique_ptr<comm::WatchedCommunicator> m_tie; ///< of the first and the last stage, where they share a weight
    Neighbours m_gradients; ///< against the current: fromBefore is where this rank sends them
    std::int64_t m_batch = 0; ///< samples of this step
    torch::Tensor m_loss;
};

[[nodiscard]] Result<std::unique_ptr<ModelParallel>> makePipeline(
    const experiment::RunSpec& run, RankGroup& group, Job& job);

} // namespace lockstep::engine
