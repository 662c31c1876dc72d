// Which launcher starts the ranks of a run.
#pragma once

#include "launch/ranks/rank_launcher.h"

namespace lockstep::launch {

/// Whether mpirun starts the ranks of a run on this machine.
[[nodiscard]] bool usesMpirun(const experiment::RunSpec& spec, std::int32_t worldSize);

/// `options` must outlive it.
[[nodiscard]] RankLauncher* launcherOf(
    const SessionOptions& options, const experiment::RunSpec& spec, std::int32_t worldSize, QObject* parent);

} // namespace lockstep::launch
