#include "engine/strategy/zero/shard_exchange.h"

#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

namespace lockstep::engine {

Result<void> reduceToShards(comm::Communicator& group, torch::Tensor& gradients, const Shards& shards)
{
    for (std::size_t i = 0; i < shards.pieces.size(); ++i) {
        torch::Tensor piece = gradients.narrow(0, shards.pieces[i].first, shards.pieces[i].count);
        torch::Tensor own = shards.gradients[i];
        if (auto done = group.reduceScatter(viewOf(piece), viewOf(own), comm::Reduction::Sum); !done) {
            return done;
        }
    }
    return {};
}

Result<void> gatherFromShards(comm::Communicator& group, torch::Tensor& weights, const Shards& shards)
{
    for (std::size_t i = 0; i < shards.pieces.size(); ++i) {
        torch::Tensor piece = weights.narrow(0, shards.pieces[i].first, shards.pieces[i].count);
        torch::Tensor own = shards.weights[i];
        if (auto done = group.allGather(viewOf(own), viewOf(piece)); !done) {
            return done;
        }
    }
    return {};
}

} // namespace lockstep::engine
