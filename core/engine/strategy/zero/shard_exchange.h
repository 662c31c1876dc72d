// ZeRO's first stage in any group of ranks with equal weights and different gradients: the gradients are
// reduce-scattered; after the optimizer's step on each rank's part the weights are all-gathered. Together as many bytes
// as an all-reduce.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/strategy/zero/shards.h"

namespace lockstep::engine {

/// Adds up, in rank order if the backend does: `shards.gradients` hold the sums, the rest of `gradients` is undefined.
/// Every rank of the group calls it.
[[nodiscard]] Result<void> reduceToShards(comm::Communicator& group, torch::Tensor& gradients, const Shards& shards);

/// Gathers every rank's `shards.weights` into all ranks' `weights`.
[[nodiscard]] Result<void> gatherFromShards(comm::Communicator& group, torch::Tensor& weights, const Shards& shards);

} // namespace lockstep::engine
