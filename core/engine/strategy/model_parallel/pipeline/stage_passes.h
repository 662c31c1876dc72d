// The forward and backward passes of one rank's parts of a pipeline: run kernel by kernel, or recorded in the order of
// the schedule and replayed in every later step (pass_recorder.h). Graphs read and write tensors that stay in place,
// one set for each micro-batch of each part, because a micro-batch's input and output are needed until its backward.
#pragma once

#include "engine/data/batches.h"
#include "engine/model/gradient_graph.h"
#include "engine/ranks/tensor_ranks.h"
#include "engine/strategy/job.h"
#include "engine/strategy/recorded_batches.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"
#include "plan/pipeline/schedule.h"
#include "plan/slices.h"

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::engine {

/// One of a rank's parts of the net.
struct StagePart {
    plan::Slice layers;
    int number = 0; ///< among all parts of the net
    bool isFirst = false; ///< of the net
    bool isLast = false;
    std::vector<std::int64_t> inputSizes; ///< of one sample; of the net's first part: nothing
    std::vector<std::int64_t> outputSizes;
    std::int64_t wholeOutput = 0; ///< the last of them, of all parts of the layer together
};

class StagePasses {
public:
    /// `tensor` is null where the stage is one rank. All must outlive this; so must `parts`, by chunk.
    StagePasses(const experiment::RunSpec& run, int rank, TensorRanks* tensor, Job& job, Recorder& recorder,
        const std::vector<StagePart>& parts);

    /// As Strategy's.
    [[nodiscard]] bool needsFixedBatches() const { return m_recorded.isOn(); }
    /// For an evaluation as well.
    [[nodiscard]] torch::Tensor run(const StagePart& part, const torch::Tensor& input);

    /// One micro-batch through one part.
    struct Pass {
        int chunk = 0;
        int microBatch = 0;

        auto operator<=>(const Pass&) const = default;
    };
    /// A step begins, in which the passes follow each other as in `actions`; it is before the first message. Backward
    /// starts from `scale` times the loss. Clears the gradients.
    void begin(const Batch& batch, double scale, std::span<const plan::PipelineAction> actions, int microBatches);
    /// Which samples of the batch a micro-batch is.
    [[nodiscard]] plan::Slice samplesOf(int microBatch) const;

    /// What was received, for forward() and backward().
    void setInput(const Pass& pass, const torch::Tensor& input);
    void setGradient(const Pass& pass, const torch::Tensor& gradient);
    void forward(const Pass& pass);
    void backward(const Pass& pass);
    /// What to send: the output after forward(), the gradient of the input after backward(). Call each once.
    [[nodiscard]] torch::Tensor takeOutput(const Pass& pass);
    [[nodiscard]] torch::Tensor takeInputGradient(const Pass& pass);
    /// Of the micro-batch, in float64, weighted by its share of the batch's samples; after forward() in the net's last
    /// part.
    [[nodiscard]] const torch::Tensor& loss(const Pass& pass) const { return m_held.at(pass).lossValue; }

private:
    /// From the pass's first call to its last; until the next recording if it is recorded.
    struct Held {
        torch::Tensor input;
        torch::Tensor output; ///< until it is sent
        torch::Tensor loss; ///< of this micro-batch, or a stand-in if it is on another rank; until backward
        torch::Tensor lossValue;
        std::shared_ptr<torch::Tensor> gradient; ///< of the output; null in the net's last part
        std::unique_ptr<PassGraph> forward{}; ///< null if it is not recorded
        std::unique_ptr<PassGraph> backward{};
    };

    [[nodiscard]] const StagePart& partOf(const Pass& pass) const
    {
        return m_parts[static_cast<std::size_t>(pass.chunk)];
    }
    void choose(std::span<const plan::PipelineAction> actions);
    [[nodiscard]] Result<void> record(std::span<const plan::PipelineAction> actions);
    [[nodiscard]] Held& place(const Pass& pass);
    void computeForward(const Pass& pass);
    void computeBackward(const Pass& pass);

    TensorRanks* m_tensor;
    Job& m_job;
    Recorder& m_recorder;
    int m_rank;
    bool m_recomputes; ///< keeps only a part's input of each micro-batch
    const std::vector<StagePart>& m_parts;
    torch::TensorOptions m_options; ///< of tensors between parts
    RecordedBatches m_recorded;
    RecordedScale m_scale;
    std::map<Pass, Held> m_held; ///< of this step
    std::map<Pass, Held> m_graphs; ///< recorded; they are in m_held in a step that replays them
    bool m_replays = false; ///< in this step
    Batch m_batch;
    std::int64_t m_microBatch = 1; ///< samples, of all but the last ones
};

} // namespace lockstep::engine
