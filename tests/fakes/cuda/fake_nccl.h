// NCCL on machines without a GPU: the functions of libnccl that nccl_communicator.cpp calls, with the semantics of its
// documentation (and, where that is silent, of its source), on the streams of the fake CUDA runtime.
//
// - Communicators that do not block return ncclInProgress first and put their work on the stream a little later. A
//   call before ncclCommGetAsyncError says ncclSuccess is refused.
// - Work waits for its peers on the stream, without end if one does not come. ncclCommAbort ends it; like
//   ncclCommDestroy it returns once the communicator's work is off the streams, behind whatever else is queued there
//   before it.
// - Sums are in another order than that of the ranks.
// - In-place calls that NCCL does not allow are refused.
#pragma once

#include "fakes/cuda/fake_nccl_group.h"

#include <nccl.h>

#include <string>

struct ncclComm {
    ncclComm(lockstep::tests::nccl::Group& ofAll, int ownRank, int ranks, bool blocks)
        : group(ofAll)
        , rank(ownRank)
        , size(ranks)
        , isBlocking(blocks)
        , exchange(ofAll, ownRank, ranks, isAborted)
    { }

    lockstep::tests::nccl::Group& group;
    const int rank;
    const int size;
    const bool isBlocking;
    const int device = lockstep::tests::gpu::currentDevice();
    std::atomic<bool> isAborted = false;
    std::atomic<ncclResult_t> state = ncclInProgress;
    std::atomic<std::uint64_t> launched = 0;
    std::atomic<std::uint64_t> finished = 0;
    lockstep::tests::nccl::Exchange exchange; ///< of one piece of work after the other, on whichever streams they are
};

namespace lockstep::tests::nccl {

/// What ncclGetLastError says from now on.
ncclResult_t warn(ncclResult_t result, const std::string& text);
[[nodiscard]] bool isThere(ncclComm_t comm);
/// An error unless the next call may be made.
[[nodiscard]] ncclResult_t ensureReady(ncclComm_t comm);
/// Whether this thread is between ncclGroupStart and ncclGroupEnd.
[[nodiscard]] bool isGrouping();
/// Puts the work on the stream: at once, or a little later on another thread.
[[nodiscard]] ncclResult_t launch(ncclComm_t comm, cudaStream_t stream, std::function<void()> work);
[[nodiscard]] std::size_t sizeOf(ncclDataType_t type);

} // namespace lockstep::tests::nccl
