// How long queued experiments take, estimated from the runs that have been measured on this machine.
#pragma once

#include "analysis/run_record.h"
#include "launch/queue/queue_state.h"

#include <span>
#include <vector>

namespace lockstep::launch {

/// NotMeasured where it cannot be estimated.
struct QueueTimes {
    std::vector<double> entries; ///< 0 for a damaged one
    double whole = 0.0;
};

/// Seconds for the runs that have not ended; a run that is alive counts with what is left of it. `known`: stored runs,
/// newest first.
[[nodiscard]] QueueTimes secondsOf(const QueueState& queue, std::span<const analysis::RunRecord> known);

} // namespace lockstep::launch
