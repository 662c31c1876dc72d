// Where autograd's graph of one rank ends and another rank's continues.
#pragma once

#include "engine/strategy/pipeline/pipeline_transport.h"

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

/// The way of one micro-batch from a part of the net to the next, on another rank, and of its gradient back.
struct Crossing {
    PipelineTransport& transport;
    PipelineTransport::Pass pass; ///< on this side
    Result<void> sent{}; ///< set by crossOver
    torch::Tensor gradient{}; ///< of what was sent: to be there before backward begins
};

/// What the rest of the net makes of a part's output, as a scalar that stands for the loss on another rank: an autograd
/// function whose forward sends the output there and whose backward gives the gradient that came back. Its value is
/// not known here: it is 0.
[[nodiscard]] torch::Tensor crossOver(const torch::Tensor& output, const std::shared_ptr<Crossing>& crossing);

} // namespace lockstep::engine
