// Sends tensors one way between two ranks of a pipeline while both compute: sending never waits.
//
// Where the two share memory, a tensor is written there, and a message of a few bytes says so; the other end reads it
// in place. Elsewhere, and over emulated links, a thread sends it as a message, and the receiver receives ahead. Within
// a step memory is not written twice: the sender reaches the next step only after an answer to everything it sent in
// this one (a gradient to each activation, the next step's activation to the gradients).
#pragma once

#include "engine/comm/link/watched_communicator.h"
#include "engine/memory/memory_account.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
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

    /// Both ends call it: the limits of a step, in tensors and in bytes per tensor.
    [[nodiscard]] Result<void> share(std::int64_t tensors, std::size_t bytesEach);
    using Mode = PipelineTransport::Mode;
    void begin(Mode mode);

    /// In call order. Keeps the tensor's memory until it is sent; do not write to it before.
    [[nodiscard]] Result<void> send(const torch::Tensor& tensor);
    /// Waits until all is sent. Returns the first error.
    [[nodiscard]] Result<void> flush();

    /// A tensor of these sizes will be received, after those that were expected before.
    void expect(std::vector<std::int64_t> sizes, const torch::TensorOptions& options);
    /// Waits for the first expected tensor. It may be in shared memory: it is valid until the step ends.
    [[nodiscard]] Result<torch::Tensor> receive();

    /// Receives the times for which receive() and flush() make their caller wait; empty for none.
    void setTimer(comm::WatchedCommunicator::Timer timer) { m_timer = std::move(timer); }

    /// Since the last call; no transfer may be in progress.
    [[nodiscard]] std::size_t takeBytesSent();
    /// Of this rank and the other; no transfer may be in progress.
    void setLinks(const comm::Link& mine, const comm::Link& theirs);
    void setListener(std::function<void(const comm::MessageEvent&)> listener)
    {
        m_pair->setListener(std::move(listener));
    }

private:
    struct Transfer {
        torch::Tensor tensor; ///< if expected: allocated when its turn comes
        std::unique_ptr<comm::Work> work{}; ///< null: expected, not yet begun, or in shared memory
        std::vector<std::int64_t> sizes{}; ///< if expected
        torch::TensorOptions options{};
    };

    [[nodiscard]] Result<void> write(const torch::Tensor& tensor);
    void beginReceiving();
    /// The other rank's next tensor in shared memory, booked while anything refers to it.
    [[nodiscard]] torch::Tensor readHere(const Transfer& transfer);
    [[nodiscard]] Result<void> waitFor(Transfer& transfer);
    /// Waits for a started transfer, and reports to the timer.
    [[nodiscard]] Result<void> await(comm::Work& work) const;
    [[nodiscard]] Error named(const Error& error) const;

    std::unique_ptr<comm::WatchedCommunicator> m_pair;
    int m_rank;
    int m_other;
    std::shared_ptr<comm::SharedArray> m_memory; ///< null where there is none
    std::int64_t m_slots = 0;
    std::size_t m_slotBytes = 0;
    std::int64_t m_written = 0; ///< tensors of this step
    std::int64_t m_read = 0;
    ForeignMemory m_writtenMemory; ///< the slots, once something has been written there
    Mode m_mode = Mode::OneByOne;
    bool m_usesMemory = false; ///< in this step
    std::size_t m_bytesWritten = 0;
    std::size_t m_bytesOfNotes = 0; ///< of the messages that announce tensors: they do not count
    std::deque<Transfer> m_sent;
    std::deque<Transfer> m_expected;
    comm::WatchedCommunicator::Timer m_timer;
};

} // namespace lockstep::engine
