// c10d's key-value store for the ranks of one machine. c10d's own server for TCP listens on all interfaces, without a
// secret; this is a file without a name, whose descriptor rank 0 passes to the run's ranks alone.
#pragma once

#include "base/result.h"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <string>

namespace lockstep::engine {

/// Every rank calls it. `name`: unique to the run and the purpose, the same in every rank. Throws what c10d does.
[[nodiscard]] Result<c10::intrusive_ptr<c10d::Store>> openDescriptorStore(
    const std::string& name, int rank, int size, std::chrono::milliseconds timeout);

} // namespace lockstep::engine
