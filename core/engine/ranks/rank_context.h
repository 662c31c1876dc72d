// This process's place among the ranks of its run.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::engine {

struct RankContext {
    Rank rank;
    std::int32_t worldSize = 1;
    std::int32_t localRank = 0; ///< among the ranks of this machine: which GPU `device=auto` takes
    /// The same for all ranks of a run and for no others: where they meet. Empty where nothing names the job; then
    /// ranks with the same spec meet.
    std::string group;
};

/// From RANK, WORLD_SIZE and LOCAL_RANK, as torchrun, Slurm's wrappers and our launcher set them, or from what Open
/// MPI's mpirun sets; without them this is rank 0 of 1. They meet under the name of the run (LOCKSTEP_RUN), of the job
/// (TORCHELASTIC_RUN_ID, SLURM_JOB_ID and SLURM_STEP_ID, PMIX_NAMESPACE), and MASTER_ADDR and MASTER_PORT. Errors name
/// the variable, its value and what is allowed.
[[nodiscard]] Result<RankContext> rankFromEnvironment();

/// The variable that says how many ranks there are: WORLD_SIZE, or Open MPI's; empty where neither is set.
[[nodiscard]] std::string_view worldSizeVariable();

} // namespace lockstep::engine
