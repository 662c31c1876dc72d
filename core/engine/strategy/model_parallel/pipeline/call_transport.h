// Remote stage calls (`pipeline.transport` rpc), by LibTorch's RPC agent.
//
// To a part of the net, the part after it is a function on another rank: it is called with the activation of a
// micro-batch, and its answer is the gradient of the loss by that activation. The called rank carries the micro-batch
// forward when its schedule says so, itself calls the next part, carries it backward when the answer to that is there
// and its schedule says so, and then answers. So calls are nested along the net, the first rank's call spans all of it,
// and backward on the first rank is backward on all (pipeline_boundary.h). Calls do not wait: one is in progress for
// each micro-batch that the schedule has in flight.
//
// PyTorch's own pipelines by RPC let a rank call its successor, too, with activations that go straight from stage to
// stage; there backward makes a second call for each micro-batch, in which the caller has nothing to say that the
// called rank does not know, because it has the loss. One call saves half the messages.
#pragma once

#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "engine/strategy/model_parallel/pipeline/stage_calls.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class CallTransport final : public PipelineTransport {
public:
    /// Every stage calls it. `timeout`: how long a wait for another rank may take.
    [[nodiscard]] static Result<std::unique_ptr<CallTransport>> create(
        SubGroup& stages, const PipelineEnds& ends, std::chrono::milliseconds timeout);

    void begin(Mode mode) override;
    void expectActivation(const Pass& pass, const std::vector<std::int64_t>& sizes) override;
    void expectGradient(const Pass& pass, const std::vector<std::int64_t>& sizes) override;
    [[nodiscard]] Result<void> sendActivation(const Pass& pass, const torch::Tensor& output) override;
    [[nodiscard]] Result<torch::Tensor> receiveActivation(const Pass& pass) override;
    [[nodiscard]] Result<void> sendGradient(const Pass& pass, const torch::Tensor& gradient) override;
    [[nodiscard]] Result<torch::Tensor> receiveGradient(const Pass& pass) override;
    [[nodiscard]] Result<void> flush() override;
    void setTimer(const comm::WatchedCommunicator::Timer& timer) override { m_timer = timer; }
    [[nodiscard]] Result<void> finish() override;
    [[nodiscard]] bool takesLinks() const override { return false; }
    void applyLinks() override { }
    [[nodiscard]] std::size_t takeBytesSent() override;
    [[nodiscard]] Text description() const override;

private:
    CallTransport(SubGroup& stages, const PipelineEnds& ends, std::unique_ptr<StageCalls> calls);
    [[nodiscard]] int stageOf(int part) const { return part % m_stages.size(); }
    [[nodiscard]] StageCall called(const Pass& pass) const;
    [[nodiscard]] Result<torch::Tensor> ofExpectedSizes(std::map<Pass, std::vector<std::int64_t>>& expected,
        const Pass& pass, const Result<torch::Tensor>& received) const;
    [[nodiscard]] Result<void> awaitPiece(int part);
    [[nodiscard]] comm::GroupCalls& recorded() const;
    [[nodiscard]] Result<void> recordSend(int to, const torch::Tensor& tensor) const;
    /// That the caller has been waiting for another stage since `from`.
    void report(std::int64_t from) const;

    SubGroup& m_stages;
    std::unique_ptr<StageCalls> m_calls;
    torch::TensorOptions m_options;
    Mode m_mode = Mode::OneByOne;
    std::map<Pass, std::vector<std::int64_t>> m_activations; ///< sizes of the expected tensors
    std::map<Pass, std::vector<std::int64_t>> m_gradients;
    std::map<int, StageCall> m_pieces; ///< of the test set, under way: by the part that is called, one each
    std::size_t m_bytesSent = 0;
    comm::WatchedCommunicator::Timer m_timer;
};

} // namespace lockstep::engine
