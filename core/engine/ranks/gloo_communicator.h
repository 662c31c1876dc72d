// The backend that PyTorch uses on CPUs: Gloo over TCP, through c10d. All that depends on
// LibTorch's version of c10d is in this file's .cpp; it builds with 1.13 and with 2.x.
//
// Gloo itself does sums, products, minima, maxima and bit operations, except for bfloat16, which it lacks; it moves
// data of every type as bytes. It has no reduce-scatter: that is composed from messages (a ring), never from an
// all-reduce.
#pragma once

#include "engine/comm/communicator.h"
#include "rendezvous/network.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::engine {

struct GlooOptions {
    std::string name; ///< unique to the run, the same in every rank
    int rank = 0;
    int size = 1;
    std::chrono::milliseconds timeout{30000}; ///< of one operation
    std::chrono::milliseconds joinTimeout{30000};
    bool checksEveryCall = false; ///< else the first use of each signature
    /// Of ranks on several hosts: Gloo is bound to this rank's address there. Null: the ranks are on one machine.
    std::shared_ptr<rendezvous::Network> network{};
};

/// Every rank calls it; returns once all have come. A dead rank is named by its process, a hang by the missing ranks.
[[nodiscard]] Result<std::unique_ptr<comm::Communicator>> joinGloo(const GlooOptions& options);

/// How an operation is carried out: `native`, `bytes` (native, with another type) or `composed`.
[[nodiscard]] std::string_view howGlooDoes(comm::Collective what, comm::DataType type);

} // namespace lockstep::engine
