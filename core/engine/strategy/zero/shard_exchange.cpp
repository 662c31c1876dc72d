#include "engine/strategy/zero/shard_exchange.h"

#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

namespace lockstep::engine {

Result<void> reduceToShards(comm::Communicator& group, torch::Tensor& gradients, const Shards& shards)
{
    for (std::size_t i = 0; i < shards.pieces.size(); ++i) {
        torch::Tensor piece = gradients.narrow(0, shards.pieces[i].first, shards.pieces[i].count);
        torch::Tensor own = shards.gradients[i];
        LOCKSTEP_TRY(group.reduceScatter(viewOf(piece), viewOf(own), comm::Reduction::Sum));
    }
    return {};
}

Result<void> gatherFromShards(comm::Communicator& group, torch::Tensor& weights, const Shards& shards)
{
    for (std::size_t i = 0; i < shards.pieces.size(); ++i) {
        torch::Tensor piece = weights.narrow(0, shards.pieces[i].first, shards.pieces[i].count);
        torch::Tensor own = shards.weights[i];
        LOCKSTEP_TRY(group.allGather(viewOf(own), viewOf(piece)));
    }
    return {};
}

} // namespace lockstep::engine
