// Where ranks are on several hosts: one rank of each measures how far the clock there is from the store's, and reports
// it.
#pragma once

#include "engine/telemetry/recorder.h"
#include "rendezvous/clock_meter.h"
#include "rendezvous/network.h"

#include <memory>

namespace lockstep::engine {

/// Measures until it is destroyed, off the training thread. Null where the ranks are on one host (`network` is null),
/// and on all ranks but the first of each clock. `recorder` must outlive it.
[[nodiscard]] std::unique_ptr<rendezvous::ClockMeter> measureClock(
    const std::shared_ptr<rendezvous::Network>& network, Recorder& recorder);

} // namespace lockstep::engine
