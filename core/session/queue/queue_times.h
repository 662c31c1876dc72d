// How long queued experiments take, estimated from the runs that have been measured on this machine.
#pragma once

#include "analysis/run_record.h"
#include "session/queue/queue_state.h"

#include <span>

namespace lockstep::session {

/// Seconds for the runs of an entry that have not ended; a run that is alive counts with what is left of it.
/// NotMeasured where it cannot be estimated. `known`: stored runs, newest first.
[[nodiscard]] double secondsOf(const QueueEntry& entry, std::span<const analysis::RunRecord> known);
/// Of all entries that are not damaged.
[[nodiscard]] double secondsOf(const QueueState& queue, std::span<const analysis::RunRecord> known);

} // namespace lockstep::session
