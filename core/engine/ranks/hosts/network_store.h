// c10d's key-value store over the store of the run.
#pragma once

#include "rendezvous/network.h"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <memory>

namespace lockstep::engine {

[[nodiscard]] c10::intrusive_ptr<c10d::Store> networkStore(
    std::shared_ptr<rendezvous::Network> network, std::chrono::milliseconds timeout);

} // namespace lockstep::engine
