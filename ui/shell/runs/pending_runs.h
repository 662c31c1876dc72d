// Runs of a laboratory's step between the moment in which they are asked for and the one in which they have ids.
#pragma once

#include "base/ids.h"
#include "experiment/spec.h"
#include "launch/queue/queue_state.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace lockstep::ui {

/// Runs of a step that were asked for and have not begun yet.
struct PendingRuns {
    std::string step;
    std::vector<experiment::RunSpec> runs;
    std::set<std::int64_t> others; ///< entries of the queue that are not theirs
};

/// Those of `pending`, one of `all`, that have begun; they are pending no more.
[[nodiscard]] std::vector<RunId> begunOf(
    PendingRuns& pending, std::vector<PendingRuns>& all, const launch::QueueState& queue);

} // namespace lockstep::ui
