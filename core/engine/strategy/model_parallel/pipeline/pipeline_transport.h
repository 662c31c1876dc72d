// How the parts of a pipeline pass each other activations and gradients: one class per value of `pipeline.transport`.
#pragma once

#include "base/result.h"
#include "engine/ranks/sub_group.h"
#include "plan/pipeline/schedule.h"

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Values of `pipeline.transport` that can be carried out.
[[nodiscard]] std::vector<std::string_view> transportNames();

/// The shapes at both ends of one of this rank's parts, for one sample; empty where the net begins or ends.
struct PartEnds {
    std::vector<std::int64_t> input;
    std::vector<std::int64_t> output;
};

/// Arguments of all transports.
struct PipelineEnds {
    plan::PipelineShape shape;
    std::vector<PartEnds> parts; ///< of this rank, by chunk
    torch::TensorOptions options; ///< of tensors between parts
    std::int64_t samplesOfMicroBatch = 0; ///< at most
};

class PipelineTransport {
public:
    /// One micro-batch through one part, among all parts of the net.
    struct Pass {
        int part = 0;
        int number = 0; ///< of the micro-batch, or of the piece of the test set

        auto operator<=>(const Pass&) const = default;
    };
    /// A training step, or (at first) something else, in which every tensor is waited for.
    enum class Mode { Step, OneByOne };

    PipelineTransport() = default;
    virtual ~PipelineTransport() = default;
    PipelineTransport(const PipelineTransport&) = delete;
    PipelineTransport& operator=(const PipelineTransport&) = delete;

    virtual void begin(Mode mode) = 0;
    /// The input of `pass`, or the gradient of its output, will be received with these sizes, after what was expected
    /// before.
    virtual void expectActivation(const Pass& pass, const std::vector<std::int64_t>& sizes) = 0;
    virtual void expectGradient(const Pass& pass, const std::vector<std::int64_t>& sizes) = 0;

    /// Sends the output of `pass` to the next part, without waiting. Do not write to its memory in this step.
    [[nodiscard]] virtual Result<void> sendActivation(const Pass& pass, const torch::Tensor& output) = 0;
    /// The input of `pass`: the first that was expected. Valid until the step ends.
    [[nodiscard]] virtual Result<torch::Tensor> receiveActivation(const Pass& pass) = 0;
    /// Sends the gradient of the input of `pass` to the previous part, likewise.
    [[nodiscard]] virtual Result<void> sendGradient(const Pass& pass, const torch::Tensor& gradient) = 0;
    /// The gradient of the output of `pass`.
    [[nodiscard]] virtual Result<torch::Tensor> receiveGradient(const Pass& pass) = 0;
    /// Waits until all is sent.
    [[nodiscard]] virtual Result<void> flush() = 0;
    /// Receives the times for which receive...() and flush() of a step make their caller wait; empty for none.
    virtual void setTimer(const comm::WatchedCommunicator::Timer& timer) = 0;
    /// Every rank, after its last step of a run that did not fail: nothing will be sent any more.
    [[nodiscard]] virtual Result<void> finish() { return {}; }

    /// Whether links can be emulated on it.
    [[nodiscard]] virtual bool takesLinks() const { return true; }
    /// Call after every change of the stragglers' links.
    virtual void applyLinks() = 0;
    /// Since the last call; no transfer may be in progress.
    [[nodiscard]] virtual std::size_t takeBytesSent() = 0;
    /// A part of a pipeline's description: "by RPC (TensorPipe)"; empty if it is the ranks' own backend.
    [[nodiscard]] virtual Text description() const = 0;
};

/// By `pipeline.transport`. Every stage calls it; `stages` must outlive it.
[[nodiscard]] Result<std::unique_ptr<PipelineTransport>> makeTransport(
    const experiment::RunSpec& run, SubGroup& stages, const PipelineEnds& ends);

} // namespace lockstep::engine
