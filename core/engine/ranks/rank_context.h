// This process's place among the ranks of its run.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <string>

namespace lockstep::engine {

struct RankContext {
    Rank rank;
    std::int32_t worldSize = 1;
    std::int32_t localRank = 0; ///< among the ranks of this machine: which GPU `device=auto` takes
    std::uint16_t masterPort = 0; ///< of 127.0.0.1: for backends that use the network
    std::string group; ///< the same for all ranks of a run and for no others: where they meet
};

/// From RANK, WORLD_SIZE and LOCAL_RANK, as torchrun, Slurm's wrappers and our launcher set them, or from what Open
/// MPI's mpirun sets; without them this is rank 0 of 1. They meet under the name of the run (LOCKSTEP_RUN) and
/// MASTER_ADDR and MASTER_PORT. Errors name the variable, its value and what is allowed.
[[nodiscard]] Result<RankContext> rankFromEnvironment();

} // namespace lockstep::engine
