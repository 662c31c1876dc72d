// Messages between two ranks: a header with type and count, then the bytes, through the pair's mailbox.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/shm/meeting.h"

namespace lockstep::comm {

/// SendReceive: both directions move whenever they can, so that a ring of ranks cannot deadlock.
[[nodiscard]] Result<void> exchange(Region& region, Meeting& meeting, int rank, const Operation& operation);

} // namespace lockstep::comm
