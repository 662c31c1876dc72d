// Where autograd's graph of one rank ends and another rank's continues.
#pragma once

#include "engine/strategy/pipeline/pipeline_transport.h"

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

/// Carries one micro-batch from a part of the net to the next, on another rank, and its gradient back.
struct Crossing {
    PipelineTransport& transport;
    PipelineTransport::Pass pass; ///< on this side
    Result<void> sent{}; ///< set by crossOver
    torch::Tensor gradient{}; ///< of what was sent; set it before backward begins
};

/// A scalar in place of the loss on another rank: an autograd function whose forward sends a part's output there and
/// whose backward returns the gradient that came back. Its value is unknown here and set to 0.
[[nodiscard]] torch::Tensor crossOver(const torch::Tensor& output, const std::shared_ptr<Crossing>& crossing);

} // namespace lockstep::engine
