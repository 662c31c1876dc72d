// A group of ranks that exchange arrays. Every rank of the group calls the same operations in the same order; in and
// out may be the same memory (in place). Counts are in elements. A call with invalid arguments (a root that does not
// exist, counts that do not match, a reduction that the type lacks) fails before it sends anything. An error names the
// operation and the rank that caused it; after one, the group is unusable.
//
// Communicators that have a memory(Space::Device) accept arrays in device memory. For those run() only queues the
// operation, as with NCCL: work queued later on the device's stream sees its effects, and the host sees them after
// finish().
#pragma once

#include "base/result.h"
#include "engine/comm/array_memory.h"
#include "engine/comm/operation_runner.h"
#include "engine/comm/types.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::comm {

class Device;

/// Memory of this rank that the others of its group can read, so that an all-reduce of it copies nothing. Destroy it
/// before its communicator. In device memory all of these are device addresses, and the communicator frees the memory.
class SharedArray {
public:
    virtual ~SharedArray() = default;
    /// This rank's array, zeroed at first; may be `in` of an all-reduce.
    [[nodiscard]] virtual std::byte* own() = 0;
    /// Another rank's own(): read-only, and valid once a message has said so.
    [[nodiscard]] virtual const std::byte* of(int rank) const = 0;
    /// The result of the last all-reduce of own() without memory in `out`: read-only, until the next but one.
    [[nodiscard]] virtual std::byte* result() = 0;
    /// Result buffers, used in turn; the whole group shares them.
    static constexpr int Results = 2;
};

/// Learns of a communicator's calls, on the caller's thread.
class CallListener {
public:
    virtual ~CallListener() = default;
    /// An operation that has been checked is about to run or to be started; after an error it is not.
    [[nodiscard]] virtual Result<void> entering(const Operation& operation) = 0;
    /// start() has started it: the handle that the caller gets.
    [[nodiscard]] virtual std::unique_ptr<Work> started(std::unique_ptr<Work> work) = 0;
    /// run() has carried it out.
    virtual void leaving(const OperationTimes& times) = 0;
};

/// How a rank joins the group of all ranks.
struct JoinOptions {
    std::string name; ///< unique to the run, the same in every rank
    int rank = 0;
    int size = 1;
    std::chrono::milliseconds timeout{30000}; ///< of one operation
    std::chrono::milliseconds joinTimeout{30000}; ///< of waiting for the other ranks at the start
    bool checksEveryCall = false; ///< else the first use of each signature, where the backend checks at all
};

/// The processes of a group's ranks, as any thread may ask of them.
class PeerProcesses {
public:
    virtual ~PeerProcesses() = default;
    PeerProcesses(const PeerProcesses&) = delete;
    PeerProcesses& operator=(const PeerProcesses&) = delete;

    /// The first rank that has died, as a sentence; empty if none has, or where the backend does not know. One that has
    /// left in good order is not dead. Does not touch a device.
    [[nodiscard]] virtual Text deadPeer() { return {}; }
    /// Ends the group for all its ranks, even those that wait in an operation, if the backend can.
    virtual void abort() { }

protected:
    PeerProcesses() = default;
};

class Communicator : public PeerProcesses {
public:
    ~Communicator() override;

    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int size() const { return m_size; }
    [[nodiscard]] virtual std::string_view backend() const = 0;

    [[nodiscard]] Result<void> broadcast(View data, int root);
    /// `out` is written at the root only.
    [[nodiscard]] Result<void> reduce(ConstView in, View out, Reduction reduction, int root);
    [[nodiscard]] Result<void> allReduce(ConstView in, View out, Reduction reduction);
    /// At the root `out` holds size() times `in`, by rank; elsewhere it is ignored.
    [[nodiscard]] Result<void> gather(ConstView in, View out, int root);
    [[nodiscard]] Result<void> allGather(ConstView in, View out);
    /// At the root `in` holds size() times `out`, by rank; elsewhere it is ignored.
    [[nodiscard]] Result<void> scatter(ConstView in, View out, int root);
    /// `in` holds size() times `out`.
    [[nodiscard]] Result<void> reduceScatter(ConstView in, View out, Reduction reduction);
    /// Part r of `in` goes to rank r; part r of `out` comes from rank r.
    [[nodiscard]] Result<void> allToAll(ConstView in, View out);
    [[nodiscard]] Result<void> barrier();
    [[nodiscard]] Result<void> send(ConstView data, int to);
    [[nodiscard]] Result<void> receive(View data, int from);
    /// Both at once, so that a ring of them cannot deadlock.
    [[nodiscard]] Result<void> sendReceive(ConstView in, int to, View out, int from);

    /// Runs the described operation; all of the above call it.
    [[nodiscard]] Result<void> run(const Operation& operation);
    /// The same without waiting: operations run in call order. The memory must stay valid until it is done.
    [[nodiscard]] std::unique_ptr<Work> start(const Operation& operation, Around around = {});

    /// A new group of the ranks with the same `color`, ordered by `key` (then by rank). Null where color is negative.
    /// Every rank of the group calls it.
    [[nodiscard]] virtual Result<std::unique_ptr<Communicator>> split(int color, int key) = 0;

    /// Every rank calls it with the same size. Null where the backend has no such memory.
    [[nodiscard]] virtual Result<std::shared_ptr<SharedArray>> share(std::size_t bytes, Space space = Space::Host);

    /// Operations on arrays there; null if the backend cannot move them.
    [[nodiscard]] virtual const std::shared_ptr<Memory>& memory(Space space) const;

    /// On whose stream operations on arrays in device memory are queued; null where the host moves those, or none.
    [[nodiscard]] virtual std::shared_ptr<Device> queueingDevice() const { return nullptr; }

    /// Waits until all operations that were run, started and queued have completed. Polls, so that it finds and names a
    /// rank that dies meanwhile; a wait inside the device's library would never end.
    [[nodiscard]] Result<void> finish();

    /// How long an operation may wait for other ranks from now on, where the backend can change that.
    virtual void setTimeout(std::chrono::milliseconds) { }
    /// Does not block. An error once a rank of the group has died or left, where the backend detects it. Call it while
    /// waiting for a device, whose work may wait for that rank.
    [[nodiscard]] virtual Result<void> checkPeers() { return {}; }

    /// Of the last completed operation. Caller's thread only, with none in progress.
    [[nodiscard]] const OperationTimes& lastTimes() const { return m_runner.lastTimes(); }

protected:
    /// `listener` lives as long as this; null for none.
    Communicator(int rank, int size, CallListener* listener = nullptr);

    /// The operation has been checked and no other one is running.
    [[nodiscard]] virtual Result<void> execute(const Operation& operation, OperationTimes& times) = 0;
    /// finish() once no started operation is left: waits for the device.
    [[nodiscard]] virtual Result<void> synchronize() { return {}; }
    /// Waits for started operations. A backend's destructor calls it first, while its execute() still exists.
    void finishStarted() { m_runner.end(); }

private:
    int m_rank;
    int m_size;
    CallListener* m_listener;
    OperationRunner m_runner;
};

} // namespace lockstep::comm
