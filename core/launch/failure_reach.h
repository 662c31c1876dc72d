// Which other runs a failure concerns: then they need not be started.
#pragma once

#include "base/text.h"
#include "experiment/settings.h"
#include "launch/ranks/rank_launcher.h"

namespace lockstep::launch {

/// Whether what a run failed of lets the other run fail too: the store, the program, or the data set that both use.
/// `why`: its subject says which parameter was refused.
[[nodiscard]] bool reaches(
    FailureCause cause, const Text& why, const experiment::Settings& failed, const experiment::Settings& other);

} // namespace lockstep::launch
