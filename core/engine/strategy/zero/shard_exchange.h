// ZeRO's first stage between the ranks of any group that have the same weights and each a gradient of its own: the
// gradients are added up, each rank's part where that rank keeps it; after the optimizer's step on that part the
// weights go round. Together as many bytes as an all-reduce.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/strategy/zero/shards.h"

namespace lockstep::engine {

/// Adds up, in the order of the ranks where the backend does: `shards.gradients` hold the sums, the rest of `gradients`
/// is of no use afterwards. Every rank of the group calls it.
[[nodiscard]] Result<void> reduceToShards(comm::Communicator& group, torch::Tensor& gradients, const Shards& shards);

/// Every rank's `shards.weights` are everyone's `weights`.
[[nodiscard]] Result<void> gatherFromShards(comm::Communicator& group, torch::Tensor& weights, const Shards& shards);

} // namespace lockstep::engine
