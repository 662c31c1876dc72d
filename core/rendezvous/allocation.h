// The hosts of the Slurm allocation in which a process runs (salloc, or a batch script).
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"
#include "rendezvous/variables.h"

#include <vector>

namespace lockstep::rendezvous {

/// From SLURM_JOB_NODELIST, with the slots of SLURM_TASKS_PER_NODE (`2(x3),1`: two tasks on each of three nodes, one on
/// the fourth), as sbatch(1) describes them; srun starts what runs there. Refused: outside of an allocation, and where
/// the two do not fit.
[[nodiscard]] Result<std::vector<Host>> hostsOfAllocation(const Variables& variables);

} // namespace lockstep::rendezvous
