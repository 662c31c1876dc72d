// This process's place among the ranks of its run.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "rendezvous/launcher.h"
#include "wire/secret.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::engine {

struct RankContext {
    Rank rank;
    std::int32_t worldSize = 1;
    std::int32_t localRank = 0; ///< among the ranks of this machine: which GPU `device=auto` takes
    /// The same for all ranks of a run and for no others: where they meet. Empty where nothing names the job; then
    /// ranks with the same spec meet.
    std::string group;
    rendezvous::Place place{}; ///< what says so
    /// Of the store of ranks on several hosts; without it LOCKSTEP_SECRET_FILE names a file.
    std::optional<wire::Secret> storeSecret{};
    std::string run{}; ///< its id, where the workbench's file gives it; else LOCKSTEP_RUN does
    std::string checkpointMark{}; ///< wire::Welcome::checkpointMark
};

/// From the flags, or from what torchrun, srun, Open MPI or MPICH have set in the environment; without any this is rank
/// 0 of 1.
[[nodiscard]] Result<RankContext> rankFromEnvironment(const rendezvous::RankFlags& flags = {});

} // namespace lockstep::engine
