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
#include "engine/strategy/model_parallel/pipeline/pipeline_boundary.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "engine/strategy/strategy.h"
#include "plan/pipeline/schedule.h"
#include "plan/slices.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::engine {

class Pipeline {
public:
    /// `stages` are the ranks that the net goes through, by stage; `tensor` is null where each stage is one rank. All
    /// must outlive this.
    [[nodiscard]] static Result<std::unique_ptr<Pipeline>> create(
        const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// Whether this rank has the net's end, and so the loss.
    [[nodiscard]] bool hasLoss() const { return m_stage == m_shape.stages - 1; }
    /// As Strategy's.
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
    /// Of one micro-batch, from its first action to its last.
    struct Held {
        torch::Tensor input;
        torch::Tensor output; ///< until it is sent
        torch::Tensor loss; ///< of this micro-batch, or a stand-in if it is on another rank
        std::shared_ptr<torch::Tensor>
            gradient; ///< of the output, once it is received; null where there is no next part
    };
    /// One of this rank's parts of the net.
    struct Part {
        plan::Slice layers;
        int number = 0; ///< among all parts of the net
        bool isFirst = false; ///< of the net
        bool isLast = false;
        std::vector<std::int64_t> inputSizes; ///< of one sample; of the net's first part: nothing
        std::vector<std::int64_t> outputSizes;
        std::int64_t wholeOutput = 0; ///< the last of them, of all parts of the layer together
        std::map<int, Held> held; ///< by micro-batch
    };

    Pipeline(const experiment::RunSpec& run, SubGroup& stages, TensorRanks* tensor, Job& job);
    [[nodiscard]] Result<void> connect(const experiment::RunSpec& run);
    [[nodiscard]] plan::Slice microBatch(int number) const;
    [[nodiscard]] torch::Tensor run(const Part& part, const torch::Tensor& input);
    [[nodiscard]] Part& partOf(const plan::PipelineAction& action)
    {
        return m_parts[static_cast<std::size_t>(action.chunk)];
    }
    /// Of a micro-batch without samples: the last batch of an epoch may have fewer than there are micro-batches.
    [[nodiscard]] bool isEmpty(const plan::PipelineAction& action) const;
    void beginStep(const StepInput& input);
    void expectMessages();
    [[nodiscard]] Result<void> carryOut(const plan::PipelineAction& action, const StepInput& input, StepClock& clock);
    [[nodiscard]] Result<void> receiveActivation(Part& part, int number, StepClock& clock);
    void forward(Part& part, int number, const Batch& batch, StepClock& clock);
    [[nodiscard]] Result<void> sendActivation(Part& part, int number);
    [[nodiscard]] Result<void> receiveGradient(Part& part, int number, StepClock& clock);
    void backward(Part& part, int number, StepClock& clock);
    [[nodiscard]] Result<void> sendGradient(Part& part, int number);
    /// Of a pass, for the clock: -1 where there is only one.
    [[nodiscard]] std::int32_t numberOf(int microBatch) const;

    SubGroup& m_stages;
    TensorRanks* m_tensor;
    Job& m_job;
    std::string m_scheduleName;
    plan::PipelineShape m_shape;
    bool m_recomputes; ///< keeps only a part's input of each micro-batch
    int m_stage;
    std::vector<plan::PipelineAction> m_actions;
    const plan::PipelineAction* m_lastBackward = nullptr; ///< of the step's; null in a step without samples
    std::vector<Part> m_parts; ///< by chunk
    torch::TensorOptions m_options; ///< of tensors between parts
    std::unique_ptr<comm::WatchedCommunicator> m_tie; ///< of the first and the last stage, where they share a weight
    std::unique_ptr<PipelineTransport> m_transport;
    std::int64_t m_batch = 0; ///< samples of this step
    std::int64_t m_wholeBatch = 0; ///< that they are a part of
    torch::Tensor m_loss;
};

} // namespace lockstep::engine
