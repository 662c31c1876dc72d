// Every collective out of messages between two ranks: what a backend runs that lacks the collective, and what is used
// in for a backend's own while an emulated link is set, because a link can slow down nothing but messages.
//
//     all_reduce       the ring                         reduce_scatter   the first half of the ring
//     all_gather       the second half of the ring      broadcast        a binomial tree down
//     reduce           a binomial tree up               gather, scatter  the root with one rank after the other
//     all_to_all       p - 1 rounds with one partner each to send to and to receive from
//     barrier          dissemination (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", 1988)
#pragma once

#include "engine/comm/algorithms/algorithms.h"

namespace lockstep::comm {

/// Carries out `op`, which the communicator has checked, by send and receive alone.
[[nodiscard]] Result<void> composed(Communicator& group, const Operation& op, Scratch& scratch);

} // namespace lockstep::comm
