// Runs of a laboratory's step between the moment in which they are asked for and the one in which they have ids.
#pragma once

#include "base/ids.h"
#include "experiment/spec.h"
#include "laboratory/work.h"
#include "launch/queue/queue_state.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// Runs of a step that were asked for and have not begun yet.
struct PendingRuns {
    std::string step;
    std::vector<experiment::RunSpec> runs;
    std::set<std::int64_t> others; ///< entries of the queue that are not theirs
};

/// Those of a step that is about to ask for `runs`.
[[nodiscard]] PendingRuns pendingRuns(
    const std::string& step, const std::vector<experiment::RunSpec>& runs, const launch::QueueState& queue);

/// Those that an earlier session asked for, and that the work does not have yet.
[[nodiscard]] std::vector<PendingRuns> pendingOf(const laboratory::Work& work, const launch::QueueState& queue);

/// How many of these runs of a step stand in the queue and have not begun.
[[nodiscard]] int waitingOf(
    const std::string& step, const std::vector<PendingRuns>& all, const launch::QueueState& queue);

/// By step, the runs that have begun; they are pending no more.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<RunId>>> takeBegun(
    std::vector<PendingRuns>& all, const launch::QueueState& queue);

} // namespace lockstep::ui
