// Forward and backward passes that are recorded once and launched as a whole, as CUDA graphs: a small net's pass is a
// few dozen kernels of some microseconds each, and launching them one by one takes longer than running them. Where
// processes take turns on a GPU, each gap between two kernels may also give the turn away.
#pragma once

#include "base/result.h"

#include <functional>
#include <memory>

namespace lockstep::engine {

class PassGraph {
public:
    PassGraph() = default;
    virtual ~PassGraph() = default;
    PassGraph(const PassGraph&) = delete;
    PassGraph& operator=(const PassGraph&) = delete;

    /// Queues the recorded work on the current stream. It reads and writes the tensors that it was recorded with.
    virtual void replay() = 0;
};

class PassRecorder {
public:
    PassRecorder() = default;
    virtual ~PassRecorder() = default;
    PassRecorder(const PassRecorder&) = delete;
    PassRecorder& operator=(const PassRecorder&) = delete;

    /// Records what `work` queues on the current stream, which must not be the default one; nothing of it runs. Like
    /// work has run there before, so libraries are initialised, and no other thread queues there meanwhile. Graphs of
    /// one recorder share memory: replay them in the order in which they were recorded. After an error record nothing
    /// more; the caller then clears the gradients.
    [[nodiscard]] virtual Result<std::unique_ptr<PassGraph>> record(const std::function<void()>& work) = 0;
};

/// Null in a program without CUDA.
[[nodiscard]] std::unique_ptr<PassRecorder> makePassRecorder();

} // namespace lockstep::engine
