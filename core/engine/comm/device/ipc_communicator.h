// The backend for ranks that share a GPU (or several that reach each other's memory): the device itself moves arrays in
// its memory, through slots that the processes have opened to each other. Everything that does not need the device
// (host arrays, barriers, comparing calls, noticing deaths) goes through shared memory.
//
// The pattern is that of shm: every rank copies its input into its own slot, all ranks meet, and every rank reads what
// it needs from the others' slots. Here the copies and reads are queued on each rank's stream, and a meeting has two
// parts: each rank records its event on its stream and meets the others on the host, which says only that all have
// *queued*; then each stream waits for all the others' events. The host never waits for the device.
//
// Why this is safe with two parities of slots and events, and no event for "has read":
// - A record() is called before the meeting of its round and the wait()s for it after that, so a wait is for the right
//   record. The same event is recorded again two rounds later, after the next meeting, to which everyone came who had
//   called its wait(): no wait is for a later record either.
// - Every stream waits for everyone's event in every round, also for a rank from which it reads nothing. A rank's event
//   of round k+1 comes, on its stream, after all it read in round k. So past the events of round k+1 a stream may write
//   what was read in round k: the slot of the same parity, in round k+2. Results for others (`made`), which are
//   written after the events of one round and read after those of the next, are two rounds apart in the same way.
// - All that waits on the device waits for something that was queued before it, so no two streams can wait for each
//   other, whatever messages pairs of ranks exchange.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/device/device.h"

#include <cstddef>
#include <memory>

namespace lockstep::comm {

struct IpcOptions {
    /// Of the device's memory, for the slots of all ranks together; 0: an eighth of it, at most 512 MiB. Sub-groups use
    /// the same size per rank.
    std::size_t slotsOfAllRanks = 0;
    /// For one message under way between two ranks; twice that is taken for each pair of ranks that do send.
    std::size_t messageBytes = std::size_t{8} << 20;
    /// Arrays up to here are reduced whole by every rank, which takes one meeting instead of two; 0: as long as the
    /// memory traffic that it adds takes less time than a meeting (ipc_communicator.cpp).
    std::size_t reduceWholeBelow = 0;
    /// Wait with kernels that look at flags instead of with events. Only under MPS, where kernels of several processes
    /// run at once.
    bool spinsOnFlags = false;
    /// Whether share() gives arrays of the device; not if the ranks use several devices, because a result may then be
    /// on another device than its reader.
    bool sharesArrays = true;
};

/// Makes a communicator of arrays on the device out of one over shared memory (joinByName, joinRegion), which it takes
/// over. All ranks call it. Where the device cannot be shared, every rank gets the same error, and `host` stays as it
/// was.
[[nodiscard]] Result<std::unique_ptr<Communicator>> overIpc(
    std::unique_ptr<Communicator>& host, std::shared_ptr<Device> device, const IpcOptions& options);

} // namespace lockstep::comm
