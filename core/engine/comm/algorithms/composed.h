// Every collective, composed of messages between two ranks. Runs if a backend lacks the collective, and replaces the
// backend's own while a link is emulated, because a link can only slow down messages.
//
//     all_reduce       the ring                         reduce_scatter   the first half of the ring
//     all_gather       the second half of the ring      broadcast        a binomial tree down
//     reduce           a binomial tree up               gather, scatter  the root with one rank after the other
//     all_to_all       p - 1 rounds with one partner each to send to and to receive from
//     barrier          dissemination (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", 1988)
#pragma once

#include "engine/comm/algorithms/algorithms.h"

#include <functional>

namespace lockstep::comm {

/// Carries out one SendReceive.
using Exchange = std::function<Result<void>(const Operation& message)>;

/// Runs `op`, which `owner` has checked, with messages only: `owner` itself is busy with the collective.
[[nodiscard]] Result<void> composed(
    const Communicator& owner, const Exchange& exchange, const Operation& op, Scratch& scratch);

} // namespace lockstep::comm
