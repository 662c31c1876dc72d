// The backend for ranks of one machine: everything goes through memory that they share. The rank that owns a part
// reduces it, in rank order, so every rank ends with the same bits; data that only its owner needs is not copied.
// Deaths are noticed within a tenth of a second and named.
//
// slot_collectives.h has the collectives, shm_rounds.h why no slot is overwritten while it is read.
#pragma once

#include "base/descriptor.h"
#include "engine/comm/communicator.h"

#include <chrono>

namespace lockstep::comm {

struct ShmOptions {
    std::chrono::milliseconds timeout{30000}; ///< of one operation
    std::chrono::milliseconds joinTimeout{30000}; ///< of waiting for the other ranks at the start
};

/// Joins the group of all ranks that open the same region, a file of Region::makeFile(); returns once all have. For
/// ranks that are threads of one process, and for split().
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinRegion(
    const Descriptor& file, int rank, const ShmOptions& options);

/// Joins the group `name` of `size` processes of this user on this machine: rank 0 makes the region and hands it to the
/// others over a Unix socket in the abstract namespace, which leaves nothing behind. `name`: unique to the run and the
/// same in every rank.
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinByName(
    const std::string& name, int rank, int size, const ShmOptions& options);

} // namespace lockstep::comm
