// A group of ranks that exchange arrays. Every rank of the group calls the same operations in the same order; in and
// out may be the same memory (in place). Counts are in elements. What a call gets wrong by itself (a root that does not
// exist, counts that do not fit, a reduction that the type does not have) is refused before anything is sent. An error
// names the operation and the rank that is the cause; after one, the group is of no further use.
//
// Arrays in a device's memory are taken by communicators that have a memory(Space::Device). With them an operation has
// only been queued when run() returns, as with NCCL: its effects are there for whatever is queued on the device's
// stream after it, and for the host after finish().
#pragma once

#include "base/result.h"
#include "engine/comm/memory.h"
#include "engine/comm/operation_runner.h"
#include "engine/comm/types.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::comm {

/// Memory of this rank that the others of its group can read, so that an all-reduce of it copies nothing. Goes before
/// its communicator. In a device's memory all of these are addresses for the device, and a device's memory is given
/// back with the communicator.
class SharedArray {
public:
    virtual ~SharedArray() = default;
    /// This rank's own, zeroed at first: what `in` of an all-reduce may be.
    [[nodiscard]] virtual std::byte* own() = 0;
    /// What another rank has in its own: for reading, once a message has said that it is there.
    [[nodiscard]] virtual const std::byte* of(int rank) const = 0;
    /// What the last all-reduce of own() with no memory in `out` has given: for reading, until the next but one.
    [[nodiscard]] virtual std::byte* result() = 0;
    /// Places that results take turns in; the whole group has them together.
    static constexpr int Results = 2;
};

class Communicator {
public:
    virtual ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int size() const { return m_size; }
    [[nodiscard]] virtual std::string_view backend() const = 0;

    [[nodiscard]] Result<void> broadcast(View data, int root);
    /// `out` is written at the root only.
    [[nodiscard]] Result<void> reduce(ConstView in, View out, Reduction reduction, int root);
    [[nodiscard]] Result<void> allReduce(ConstView in, View out, Reduction reduction);
    /// At the root `out` holds size() times `in`, by rank; elsewhere it is not looked at.
    [[nodiscard]] Result<void> gather(ConstView in, View out, int root);
    [[nodiscard]] Result<void> allGather(ConstView in, View out);
    /// At the root `in` holds size() times `out`, by rank; elsewhere it is not looked at.
    [[nodiscard]] Result<void> scatter(ConstView in, View out, int root);
    /// `in` holds size() times `out`.
    [[nodiscard]] Result<void> reduceScatter(ConstView in, View out, Reduction reduction);
    /// Part r of `in` goes to rank r; part r of `out` comes from rank r.
    [[nodiscard]] Result<void> allToAll(ConstView in, View out);
    [[nodiscard]] Result<void> barrier();
    [[nodiscard]] Result<void> send(ConstView data, int to);
    [[nodiscard]] Result<void> receive(View data, int from);
    /// Both at once, so that a ring of them cannot lock up.
    [[nodiscard]] Result<void> sendReceive(ConstView in, int to, View out, int from);

    /// Any of the above by its description; the ones above are this.
    [[nodiscard]] Result<void> run(const Operation& operation);
    /// The same without waiting: carried out in the order of the calls. The memory must stay until it is done.
    [[nodiscard]] std::unique_ptr<Work> start(const Operation& operation);

    /// The ranks that give the same `color`, ordered by `key` (then by rank), as a group of their own. Null where color
    /// is negative. Every rank of the group calls it.
    [[nodiscard]] virtual Result<std::unique_ptr<Communicator>> split(int color, int key) = 0;

    /// Every rank calls it with the same size. Null where the backend has no such memory.
    [[nodiscard]] virtual Result<std::unique_ptr<SharedArray>> share(std::size_t bytes, Space space = Space::Host);

    /// What works on arrays there; null if the backend cannot move them.
    [[nodiscard]] virtual const std::shared_ptr<Memory>& memory(Space space) const;

    /// Waits until all operations that were run, started and queued have completed. Polls, so that it finds and names a
    /// rank that dies meanwhile; a wait inside the device's library would never end.
    [[nodiscard]] Result<void> finish();

    /// How long an operation may wait for other ranks from now on, where the backend can change that.
    virtual void setTimeout(std::chrono::milliseconds) { }
    /// Does not block. An error once a rank of the group has died or left, where the backend detects it. Call it while
    /// waiting for a device, whose work may wait for that rank.
    [[nodiscard]] virtual Result<void> checkPeers() { return {}; }
    /// Ends the group for all its ranks, also for those that wait in an operation, where the backend can. Any thread.
    virtual void abort() { }

    /// Of the last operation that has ended. The caller's thread, with nothing under way.
    [[nodiscard]] const OperationTimes& lastTimes() const { return m_runner.lastTimes(); }

protected:
    Communicator(int rank, int size);

    /// The operation has been checked and none other is being carried out.
    [[nodiscard]] virtual Result<void> execute(const Operation& operation, OperationTimes& times) = 0;
    /// finish() once no started operation is left: waits for the device.
    [[nodiscard]] virtual Result<void> synchronize() { return {}; }
    /// Waits for started operations. A backend's destructor calls it first, while its execute() still exists.
    void finishStarted() { m_runner.end(); }

private:
    int m_rank;
    int m_size;
    OperationRunner m_runner;
};

} // namespace lockstep::comm
