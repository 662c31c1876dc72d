// How the ranks of a run exchange what lies in the memory of their GPUs.
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
    /// Where it became another way than `placement` says: what to tell instead of the placement's own reason.
    std::string reason{};
};

/// A communicator that takes arrays of the device as well, made of `host`, which takes the host's, in the way that
/// `placement` says. Where processes cannot open each other's device memory after all (a container without a common
/// namespace), arrays go through host memory. All ranks call it, each on the stream that it trains on. `host` itself
/// where the ranks run on the CPU.
[[nodiscard]] Result<DeviceRanks> ontoDevice(std::unique_ptr<comm::Communicator> host, const plan::Placement& placement,
    int localRank, std::chrono::milliseconds timeout);

} // namespace lockstep::engine
