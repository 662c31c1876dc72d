#include "engine/cuda/nccl_handle.h"

#include <chrono>
#include <condition_variable>
#include <thread>
#include <utility>

namespace lockstep::cuda {

namespace {

/// An abort that works takes less than this; after it no thread of a process that exits is inside NCCL.
constexpr std::chrono::milliseconds TimeToEnd{500};

/// Counts threads that may outlive their caller.
struct Pending {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
};

} // namespace

NcclHandle::NcclHandle(const NcclHandle* relative)
    : m_family(relative != nullptr ? relative->m_family : std::make_shared<Family>())
{
    const std::lock_guard lock(m_family->mutex);
    m_family->members.insert(this);
}

NcclHandle::~NcclHandle()
{
    {
        const std::lock_guard lock(m_family->mutex);
        m_family->members.erase(this);
    }
    if (ncclComm_t communicator = take()) {
        static_cast<void>(ncclCommDestroy(communicator));
    }
}

ncclResult_t NcclHandle::meet(const ncclUniqueId& id, int rank, int ranks)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0; // a rank that dies meanwhile would be waited for without end
    const std::lock_guard lock(m_mutex);
    return ncclCommInitRankConfig(&m_communicator, ranks, id, rank, &config);
}

ncclResult_t NcclHandle::state()
{
    ncclResult_t state = ncclSuccess;
    const ncclResult_t asked
        = call([&](ncclComm_t communicator) { return ncclCommGetAsyncError(communicator, &state); });
    return asked == ncclSuccess ? state : asked;
}

ncclComm_t NcclHandle::take()
{
    const std::lock_guard lock(m_mutex);
    m_hasEnded = true;
    return std::exchange(m_communicator, nullptr);
}

void NcclHandle::end()
{
    const auto pending = std::make_shared<Pending>();
    {
        const std::lock_guard lock(m_family->mutex);
        for (NcclHandle* member : m_family->members) {
            if (ncclComm_t communicator = member->take()) {
                const std::lock_guard counting(pending->mutex);
                ++pending->count;
                std::thread([communicator, pending] {
                    static_cast<void>(ncclCommAbort(communicator));
                    const std::lock_guard done(pending->mutex);
                    --pending->count;
                    pending->changed.notify_all();
                }).detach();
            }
        }
    }
    std::unique_lock lock(pending->mutex);
    pending->changed.wait_for(lock, TimeToEnd, [&] { return pending->count == 0; });
}

} // namespace lockstep::cuda
