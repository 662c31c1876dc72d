// By how much the clocks of other hosts were ahead of rank 0's, in words.
#pragma once

#include "analysis/run_record.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

/// `Clocks: n2 +11.0003 s ± 0.04 ms, n3 −0.312 ms ± 0.02 ms`; empty where all ranks read one clock.
[[nodiscard]] QString hostClocksText(const std::vector<analysis::HostClock>& clocks);
/// What that means for times of ranks on different hosts; empty where that is.
[[nodiscard]] QString hostClocksHelp(const std::vector<analysis::HostClock>& clocks);

} // namespace lockstep::ui
