// Sending and receiving between neighbours, over any communicator (`pipeline.transport` p2p): a channel each way.
#pragma once

#include "engine/strategy/model_parallel/pipeline/pipeline_channel.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class MessageTransport final : public PipelineTransport {
public:
    /// Every stage calls it.
    [[nodiscard]] static Result<std::unique_ptr<MessageTransport>> create(SubGroup& stages, const PipelineEnds& ends);

    void begin(Mode mode) override;
    void expectActivation(const Pass& pass, const std::vector<std::int64_t>& sizes) override;
    void expectGradient(const Pass& pass, const std::vector<std::int64_t>& sizes) override;
    [[nodiscard]] Result<void> sendActivation(const Pass& pass, const torch::Tensor& output) override;
    [[nodiscard]] Result<torch::Tensor> receiveActivation(const Pass& pass) override;
    [[nodiscard]] Result<void> sendGradient(const Pass& pass, const torch::Tensor& gradient) override;
    [[nodiscard]] Result<torch::Tensor> receiveGradient(const Pass& pass) override;
    [[nodiscard]] Result<void> flush() override;
    void setTimer(const comm::WatchedCommunicator::Timer& timer) override;
    void applyLinks() override;
    [[nodiscard]] std::size_t takeBytesSent() override;
    [[nodiscard]] Text description() const override { return {}; }

private:
    struct Neighbours {
        std::unique_ptr<PipelineChannel> fromBefore;
        std::unique_ptr<PipelineChannel> toAfter;
    };

    MessageTransport(SubGroup& stages, const PipelineEnds& ends);
    [[nodiscard]] Result<void> connect();
    [[nodiscard]] Result<void> shareMemory(const PipelineEnds& ends);
    [[nodiscard]] std::vector<PipelineChannel*> channels() const;

    SubGroup& m_stages;
    plan::PipelineShape m_shape;
    int m_stage;
    torch::TensorOptions m_options;
    Neighbours m_activations; ///< null where there is no neighbour
    Neighbours m_gradients; ///< in reverse: this rank sends them to fromBefore
};

} // namespace lockstep::engine
