// Where autograd's graph of one rank ends and another rank's continues.
#pragma once

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

/// A scalar in place of the loss on another rank, whose value is unknown here and set to 0. Its backward gives `output`
/// the gradient that comes back from there: set it before backward begins.
[[nodiscard]] torch::Tensor standInForLoss(const torch::Tensor& output, const std::shared_ptr<torch::Tensor>& gradient);

} // namespace lockstep::engine
