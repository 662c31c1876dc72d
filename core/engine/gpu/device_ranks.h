// How the ranks of a run exchange arrays in GPU memory.
#pragma once

#include "base/result.h"
#include "engine/comm/communicator.h"
#include "plan/placement.h"

#include <chrono>
#include <memory>
#include <string>

namespace lockstep::engine {

struct DeviceRanks {
    std::unique_ptr<comm::Communicator> communicator;
    /// If it differs from what `placement` says: the reason to show instead of the placement's.
    Text reason{};
};

/// Makes a communicator that also takes device arrays from `host`, which takes host arrays, as `placement` says. Where
/// processes cannot open each other's device memory after all (a container without a common namespace), arrays go
/// through host memory. All ranks call it, each on the stream that it trains on. `host` itself where the ranks run on
/// the CPU.
[[nodiscard]] Result<DeviceRanks> ontoDevice(std::unique_ptr<comm::Communicator> host, const plan::Placement& placement,
    int localRank, std::chrono::milliseconds timeout);

} // namespace lockstep::engine
