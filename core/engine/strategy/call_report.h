// Sends the record of the ranks' last calls to the workbench, when a run has failed.
#pragma once

#include "engine/comm/link/call_record.h"
#include "engine/telemetry/recorder.h"

namespace lockstep::engine {

/// Only the first rank of the run that calls it sends: the calls of all ranks.
void reportCalls(comm::CallRecord& record, Recorder& recorder);

} // namespace lockstep::engine
