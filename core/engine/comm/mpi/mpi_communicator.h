// The backend for high-performance computers: MPI, tested with Open MPI 4.1. Only in programs that were built with MPI.
// mpirun starts the ranks.
//
// It calls the non-blocking collectives (MPI_Iallreduce, ...), because only these can time out;
// resources/docs/dependencies.md has what that costs. float16 and bfloat16, which MPI does not know, are moved as
// bytes; their reductions are composed of messages.
#pragma once

#include "engine/comm/communicator.h"

#include <memory>
#include <string_view>

namespace lockstep::comm {

/// Every rank calls it, once, with its rank as mpirun counts; returns once all have come.
[[nodiscard]] Result<std::unique_ptr<Communicator>> joinMpi(const JoinOptions& options);

/// How an operation is carried out: `native`, `bytes` (native, with another type) or `composed`.
[[nodiscard]] std::string_view howMpiDoes(Collective what, DataType type);

} // namespace lockstep::comm
