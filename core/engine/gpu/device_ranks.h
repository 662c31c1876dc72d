// How the ranks of a run exchange what lies in the memory of their GPUs.
#pragma once

#include "base/result.h"
#include "engine/comm/communicator.h"
#include "plan/placement.h"

#include <chrono>
#include <memory>

namespace lockstep::engine {

/// A communicator that takes arrays of the device as well, made of `host`, which takes the host's, in the way that
/// `placement` says. All ranks call it, each on the stream that it trains on. `host` itself where the ranks run on the CPU.
[[nodiscard]] Result<std::unique_ptr<comm::Communicator>> ontoDevice(std::unique_ptr<comm::Communicator> host,
    const plan::Placement& placement, int localRank, std::chrono::milliseconds timeout);

} // namespace lockstep::engine
