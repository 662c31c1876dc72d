// Pipeline parallelism: the net is cut by layers into parts, each rank has one (or, interleaved, several) of them, and
// the micro-batches of a step go through (Huang et al., "GPipe", 2019; Narayanan et al. 2021). plan/pipeline lists what
// each rank does; this carries the list out, over one of several transports (pipeline_transport.h). Gradients add up
// over the micro-batches in their order, so a step gives exactly the numbers of one process that takes the same
// micro-batches in turn.
#pragma once

#include "engine/data/batches.h"
#include "engine/gpu/step_clock.h"
#include "engine/model/evaluation.h"
#include "engine/ranks/sub_group.h"
#include "engine/ranks/tensor_ranks.h"
#include "engine/strategy/job.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "engine/strategy/model_parallel/pipeline/stage_passes.h"
#include "engine/strategy/strategy.h"
#include "plan/pipeline/schedule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::engine {

class Pipeline {
public:
    /// `stages` are the ranks that the net goes through, by stage; `tensor` is null where each stage is one rank. All
    /// must outlive this. `rank`: for the log.
    [[nodiscard]] static Result<std::unique_ptr<Pipeline>> create(
        const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job, Recorder& recorder, int rank);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// Whether this rank has the net's end, and so the loss.
    [[nodiscard]] bool hasLoss() const { return m_stage == m_shape.stages - 1; }
    /// As Strategy's.
    [[nodiscard]] bool needsFixedBatches() const { return m_passes->needsFixedBatches(); }
    [[nodiscard]] Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock);
    /// The last stage's sums; empty elsewhere.
    [[nodiscard]] Result<TestSums> evaluate(const LabelledInputs& test);

    /// For all that makes a step wait: receiving, sending the rest, adding up a shared weight.
    void setTimer(const comm::WatchedCommunicator::Timer& timer);
    /// As RankStrategy's.
    [[nodiscard]] Result<void> finish() { return m_transport->finish(); }
    [[nodiscard]] bool takesLinks() const { return m_transport->takesLinks(); }
    /// Call after every change of the stages' links.
    void applyLinks();
    /// If the first and the last layer share a weight, each end has a copy and a part of the gradient; add them up
    /// before using it.
    [[nodiscard]] bool isTied() const { return m_tie != nullptr; }
    [[nodiscard]] Result<void> allReduceTied();
    /// Since the last call, between two steps.
    [[nodiscard]] Traffic takeBytesSent();
    /// Which of the net's parameters this rank has a copy of that another stage counts.
    [[nodiscard]] std::optional<std::size_t> copiedParameter() const;
    /// "pipeline of 2 stages, 1f1b, 4 micro-batches, by RPC".
    [[nodiscard]] Text description() const;

private:
    using Pass = StagePasses::Pass;

    Pipeline(const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job);
    [[nodiscard]] Result<void> connect(const experiment::RunSpec& run);
    [[nodiscard]] const StagePart& partOf(int chunk) const { return m_parts[static_cast<std::size_t>(chunk)]; }
    /// The same for the transport.
    [[nodiscard]] PipelineTransport::Pass named(const Pass& pass) const
    {
        return {partOf(pass.chunk).number, pass.microBatch};
    }
    /// Of a micro-batch without samples: the last batch of an epoch may have fewer than there are micro-batches.
    [[nodiscard]] bool isEmpty(const plan::PipelineAction& action) const;
    void beginStep(const StepInput& input);
    void expectMessages();
    [[nodiscard]] Result<void> carryOut(const plan::PipelineAction& action, const StepInput& input, StepClock& clock);
    [[nodiscard]] Result<void> receiveActivation(const Pass& pass, StepClock& clock);
    void forward(const Pass& pass, StepClock& clock);
    [[nodiscard]] Result<void> receiveGradient(const Pass& pass, StepClock& clock);
    void backward(const Pass& pass, StepClock& clock);
    /// Of a pass, for the clock: -1 where there is only one.
    [[nodiscard]] std::int32_t numberOf(int microBatch) const;

    SubGroup& m_stages;
    TensorRanks* m_tensor;
    Job& m_job;
    std::string m_scheduleName;
    plan::PipelineShape m_shape;
    int m_stage;
    std::vector<plan::PipelineAction> m_actions;
    const plan::PipelineAction* m_lastBackward = nullptr; ///< of the step's; null in a step without samples
    std::vector<StagePart> m_parts; ///< by chunk
    std::unique_ptr<StagePasses> m_passes;
    torch::TensorOptions m_options; ///< of tensors between parts
    std::unique_ptr<comm::WatchedCommunicator> m_tie; ///< of the first and the last stage, where they share a weight
    std::unique_ptr<PipelineTransport> m_transport;
    torch::Tensor m_loss;
};

} // namespace lockstep::engine
