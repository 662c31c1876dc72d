// Remote calls between the ranks of a pipeline, by LibTorch's RPC agent (TensorPipe) without Python.
//
// A call asks another rank to take an argument through one of its parts of the net; that rank answers when its schedule
// reaches the call. The agent's thread only queues a call: the training thread takes it, works on it and replies, so no
// two threads ever touch the net. pipeline_boundary.h says what a call means to autograd.
//
// The agent reports a dead rank as an error of its transport, or not at all if that rank was the caller. So every wait
// also checks the ranks' processes, and names the one at fault.
#pragma once

#include "base/result.h"
#include "engine/comm/communicator.h"

#include <torch/types.h>

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>

namespace lockstep::engine {

/// Identifies a call on both sides. No two equal ones are ever in progress at once.
struct StageCall {
    enum class Kind : std::int64_t { Train, Evaluate };

    Kind kind = Kind::Train;
    std::int64_t part = 0; ///< of the net: the one that is called
    std::int64_t number = 0; ///< of the micro-batch in its step, or of the piece of the test set

    auto operator<=>(const StageCall&) const = default;
};

/// One thread uses it.
class StageCalls {
public:
    /// Whether the LibTorch that this was built with has an RPC agent.
    [[nodiscard]] static bool areBuiltIn();
    /// Every rank of `group` calls it and exchanges its address there. `timeout`: how long a wait may take. An error if
    /// calls are not built in.
    [[nodiscard]] static Result<std::unique_ptr<StageCalls>> join(
        comm::Communicator& group, std::chrono::milliseconds timeout);

    virtual ~StageCalls() = default;
    StageCalls(const StageCalls&) = delete;
    StageCalls& operator=(const StageCalls&) = delete;

    /// Calls rank `to` without waiting. Do not write to the argument's memory before the answer.
    virtual void start(int to, const StageCall& call, const torch::Tensor& argument) = 0;
    /// Waits for the answer of rank `from` to a call that was started.
    [[nodiscard]] virtual Result<torch::Tensor> answer(int from, const StageCall& call) = 0;

    /// Waits until rank `from` makes this call; returns the argument.
    [[nodiscard]] virtual Result<torch::Tensor> take(int from, const StageCall& call) = 0;
    /// The answer to a call that was taken. Do not write to its memory until the caller has confirmed it.
    virtual void reply(const StageCall& call, const torch::Tensor& result) = 0;

protected:
    StageCalls() = default;
};

} // namespace lockstep::engine
