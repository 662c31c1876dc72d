// This process's place among the ranks of its job, from its own flags or from what a launcher has set. Pure: a test can
// make up any environment.
#pragma once

#include "base/result.h"
#include "rendezvous/init_method.h"
#include "rendezvous/variables.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::rendezvous {

enum class Launcher { None, Flags, Torchrun, Srun, OpenMpi, Mpich };

/// `--rank`, `--world-size`, `--local-rank` and `--init-method` of lockstep-rank.
struct RankFlags {
    std::optional<std::int32_t> rank{};
    std::optional<std::int32_t> worldSize{};
    std::optional<std::int32_t> localRank{};
    std::string initMethod{};
};

struct Place {
    Launcher launcher = Launcher::None;
    std::int32_t rank = 0;
    std::int32_t worldSize = 1;
    std::optional<std::int32_t> localRank{}; ///< among the ranks of this host, if the launcher says
    std::int32_t hosts = 0; ///< 0: the launcher does not say
    std::string sizeFrom{}; ///< the flag or variable that gives the number of ranks
    InitMethod meeting{}; ///< Unset, Tcp or File
    /// The same for all ranks of a job and for no others. Empty where nothing names the job.
    std::string job{};
};

/// From the first that is complete of: the flags, RANK and WORLD_SIZE (torchrun, or set by hand), srun, Open MPI, MPICH
/// and Intel MPI. An MPI launcher that runs inside a Slurm job comes before srun. Without any, this is rank 0 of 1.
/// Refused, naming both: sets that disagree, a WORLD_SIZE that counts nodes, several hosts that are to meet at an
/// address of loopback, several hosts without an address.
[[nodiscard]] Result<Place> placeOf(const RankFlags& flags, const Variables& variables);

/// Whether the ranks may be on several hosts, so that they meet over the network.
[[nodiscard]] bool mayBeApart(const Place& place);

/// `rank 1 of 4 (srun: SLURM_PROCID, SLURM_STEP_NUM_TASKS), rendezvous tcp://n1:20012`
[[nodiscard]] Text description(const Place& place);

} // namespace lockstep::rendezvous
