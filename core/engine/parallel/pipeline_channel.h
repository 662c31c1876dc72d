// Tensors that go one way between two ranks of a pipeline while both compute: sending never waits, and what is expected
// is received ahead.
#pragma once

#include "engine/comm/link/watched_communicator.h"

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::engine {

class PipelineChannel {
public:
    /// `pair`: a watched group of this rank and `other`, used for nothing else.
    PipelineChannel(std::unique_ptr<comm::Communicator> pair, int rank, int other);

    ~PipelineChannel();
    PipelineChannel(const PipelineChannel&) = delete;
    PipelineChannel& operator=(const PipelineChannel&) = delete;

    [[nodiscard]] int other() const { return m_other; }

    /// In the order of the calls. The tensor's memory is kept until it has gone; nobody may write to it before.
    void send(torch::Tensor tensor);
    /// Waits for what has been sent. The first error of them all.
    [[nodiscard]] Result<void> flush();

    /// A tensor of these sizes will be received, after those that were expected before.
    void expect(std::vector<std::int64_t> sizes, const torch::TensorOptions& options);
    /// Waits for the first of the expected.
    [[nodiscard]] Result<torch::Tensor> receive();

    /// Since the last call; nothing may be under way.
    [[nodiscard]] std::size_t takeBytesSent() { return m_pair->takeBytesSent(); }
    /// Of this rank and of the other; nothing may be under way.
    void setLinks(const comm::Link& mine, const comm::Link& theirs);
    void setListener(std::function<void(const comm::MessageEvent&)> listener)
    {
        m_pair->setListener(std::move(listener));
    }

private:
    struct Transfer {
        torch::Tensor tensor;
        std::unique_ptr<comm::Work> work; ///< null: expected, not yet begun
    };

    void beginReceiving();
    [[nodiscard]] Error named(const Error& error) const;

    std::unique_ptr<comm::WatchedCommunicator> m_pair;
    int m_rank;
    int m_other;
    std::deque<Transfer> m_sent;
    std::deque<Transfer> m_expected;
};

} // namespace lockstep::engine
