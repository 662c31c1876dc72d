// An NCCL communicator that can be ended while its work waits for a rank that is gone.
//
// ncclCommAbort returns once the communicator's kernels are off the streams, and those may be queued behind kernels of
// another communicator that wait for the same rank. So all communicators split from each other are aborted together,
// each on a separate thread, and the caller waits only briefly.
#pragma once

#include <nccl.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>

namespace lockstep::cuda {

class NcclHandle {
public:
    /// `relative`: one to be ended together with it, or null. Calls of one handle may come from several threads.
    explicit NcclHandle(const NcclHandle* relative);
    /// Destroys the communicator unless it has been ended; that waits for queued work.
    ~NcclHandle();
    NcclHandle(const NcclHandle&) = delete;
    NcclHandle& operator=(const NcclHandle&) = delete;

    /// Begins to meet the other ranks on the calling thread's GPU; state() says when that is done.
    ncclResult_t meet(const ncclUniqueId& id, int rank, int ranks);
    /// `function` of the communicator; ncclInvalidUsage where it has been ended.
    template <typename Function>
    ncclResult_t call(const Function& function)
    {
        const std::lock_guard lock(m_mutex);
        return m_communicator != nullptr ? function(m_communicator) : ncclInvalidUsage;
    }
    /// ncclInProgress while the last call is not done.
    [[nodiscard]] ncclResult_t state();
    /// Ends the work of this one and its relatives, on every stream. Contents are undefined then.
    void end();
    [[nodiscard]] bool hasEnded() const { return m_hasEnded; }

private:
    struct Family {
        std::mutex mutex;
        std::set<NcclHandle*> members;
    };
    /// What is to be aborted; null if there is nothing, or no longer.
    [[nodiscard]] ncclComm_t take();

    std::shared_ptr<Family> m_family;
    std::mutex m_mutex;
    ncclComm_t m_communicator = nullptr;
    std::atomic<bool> m_hasEnded = false;
};

} // namespace lockstep::cuda
