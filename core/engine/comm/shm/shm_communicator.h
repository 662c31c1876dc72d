// The backend for ranks of one machine: everything goes through memory that they share. Reductions are carried out by
// the rank that the part belongs to, in rank order, so every rank ends with the same bits; nothing is copied that only
// its owner needs. Deaths are noticed within a tenth of a second and named.
//
// All collectives are made of one pattern, the meeting: every rank writes what it gives into its own slot, all meet,
// every rank reads what it needs from the others' slots. Slots have two parities, so one meeting a round is enough: a
// slot is written again only after a meeting to which everyone came who had read it.
#pragma once

#include "engine/comm/communicator.h"

#include <chrono>

namespace lockstep::comm {

class Region;

struct ShmOptions {
    std::chrono::milliseconds timeout{30000}; ///< of one operation
    std::chrono::milliseconds joinTimeout{30000}; ///< of waiting for the other ranks at the start
};

/// Joins the group of all who open the same region; returns once every rank has. Takes over the descriptor.
/// For ranks that are threads of one process, each with a duplicate of the descriptor of one region, and for split().
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinRegion(int descriptor, int rank, const ShmOptions& options);

/// Joins the group `name` of `size` processes of this user on this machine: rank 0 makes the region and hands it to the
/// others over a Unix socket in the abstract namespace, which leaves nothing behind. `name`: unique to the run and the
/// same in every rank.
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinByName(
    const std::string& name, int rank, int size, const ShmOptions& options);

} // namespace lockstep::comm
