// Runs the operations of one communicator, one at a time and in call order: on the caller's thread, or, once one has
// been started, on a separate thread.
#pragma once

#include "engine/comm/operation.h"

#include <functional>
#include <memory>

namespace lockstep::comm {

/// An operation in progress. Destroying it waits for it. On device memory it is done once it has been queued.
class Work {
public:
    virtual ~Work() = default;
    [[nodiscard]] virtual bool isDone() const = 0;
    [[nodiscard]] virtual Result<void> wait() = 0;
    /// Once it is done: when it began and ended; lastArrivalNs as the communicator reports it.
    [[nodiscard]] virtual OperationTimes times() const = 0;
};

/// What is done right before and after a started operation is carried out, on the thread that does so: on a device, in
/// order with what it queues. After an error the operation, or what follows it, is not done.
struct Around {
    std::function<Result<void>()> before{}; ///< empty: nothing
    std::function<Result<void>()> after{};
};

class OperationRunner {
public:
    using Execute = std::function<Result<void>(const Operation&, OperationTimes&)>;

    explicit OperationRunner(Execute execute);
    ~OperationRunner();
    OperationRunner(const OperationRunner&) = delete;
    OperationRunner& operator=(const OperationRunner&) = delete;

    [[nodiscard]] Result<void> run(const Operation& operation);
    [[nodiscard]] std::unique_ptr<Work> start(const Operation& operation, Around around = {});
    /// Waits for all started operations.
    void drain();
    /// drain(), and ends the thread.
    void end();
    /// Of the last completed operation; call with none in progress.
    [[nodiscard]] const OperationTimes& lastTimes() const { return m_times; }

    /// A call that ended before it began.
    [[nodiscard]] static std::unique_ptr<Work> refused(const Operation& operation, const Error& error);

private:
    class Queue;
    [[nodiscard]] Result<void> carryOut(const Operation& operation, const Around& around = {});

    Execute m_execute;
    OperationTimes m_times;
    std::unique_ptr<Queue> m_queue; ///< made by the first start()
};

} // namespace lockstep::comm
