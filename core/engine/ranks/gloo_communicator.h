// The backend that PyTorch uses on CPUs: Gloo over TCP, through c10d. All that depends on
// LibTorch's version of c10d is in this file's .cpp; it builds with 1.13 and with 2.x.
//
// Gloo itself does sums, products, minima, maxima and bit operations, except for bfloat16, which it lacks; it moves
// data of every type as bytes. It has no reduce-scatter: that is composed from messages (a ring), never from an
// all-reduce.
#pragma once

#include "engine/comm/communicator.h"
#include "rendezvous/network.h"

#include <memory>
#include <string_view>

namespace lockstep::engine {

/// Every rank calls it; returns once all have come. A dead rank is named by its process, a hang by the missing ranks.
/// `network`: of ranks on several hosts, Gloo is bound to this rank's address there; null: they are on one machine.
[[nodiscard]] Result<std::unique_ptr<comm::Communicator>> joinGloo(
    const comm::JoinOptions& options, const std::shared_ptr<rendezvous::Network>& network = {});

/// How an operation is carried out: `native`, `bytes` (native, with another type) or `composed`.
[[nodiscard]] std::string_view howGlooDoes(comm::Collective what, comm::DataType type);

} // namespace lockstep::engine
