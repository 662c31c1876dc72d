// A collective call as a value: what it does, on which arrays, when it ran, and which arguments are refused.
#pragma once

#include "base/result.h"
#include "engine/comm/array_memory.h"
#include "engine/comm/types.h"

#include <cstdint>

namespace lockstep::comm {

/// One call. `root` is the root of a rooted collective; SendReceive sends `in` to `to` and fills `out` from `from`, -1
/// where it does only the other.
struct Operation {
    Collective what = Collective::Barrier;
    ConstView in{};
    View out{};
    Reduction reduction = Reduction::Sum;
    int root = 0;
    int to = -1;
    int from = -1;
};

/// Whether `rank` gives an array (`in`) in the call.
[[nodiscard]] bool givesArray(const Operation& operation, int rank);

/// The memory of the arrays that `rank` gives or gets; the host for a call without any.
[[nodiscard]] Space spaceOf(const Operation& operation, int rank);

/// Refuses errors that a rank can see alone: arrays in different memories, a rank that does not exist, counts or types
/// that do not match, a reduction that the type lacks.
[[nodiscard]] Result<void> checkOperation(const Operation& operation, int rank, int size);

/// Bytes that `rank` sends in an operation. For the backend's own collectives that is what the algorithm that sends
/// the fewest would send (a ring for all_reduce, all_gather and reduce_scatter), not what the backend really copies.
[[nodiscard]] std::size_t bytesSentBy(const Operation& operation, int rank, int ranks);

/// When this rank arrived and left, and when the last rank arrived, on CLOCK_MONOTONIC: waiting is lastArrival - enter,
/// transferring is exit - lastArrival. lastArrivalNs is 0 where it was not measured. All are host times: for an
/// operation on device memory, when the ranks arrived to queue it and when it was queued, not when the device ran it.
struct OperationTimes {
    std::int64_t enterNs = 0;
    std::int64_t lastArrivalNs = 0;
    std::int64_t exitNs = 0;
    /// How long the operation was between hosts, where the backend reports that. What a host's ranks did meanwhile
    /// for another piece of the array is in it.
    std::int64_t betweenHostsNs = 0;
    std::int64_t bytesSent = -1; ///< by this rank, where the backend reports it; -1: as bytesSentBy() has it
};

} // namespace lockstep::comm
