// Activation recomputation (plan/activations.h has the sources and what it saves): forward keeps its input alone, and
// backward runs it once more with all that it needs.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace lockstep::engine {

/// pass(input) with the same result and the same gradients, bit for bit, for a pass that always makes the same of the
/// same input (there is no dropout). `parameters`: all that the pass reads and that wants a gradient. The gradients
/// reach each parameter when and in the order in which they would without recomputation, so hooks see no difference.
/// `pass` is called here and in backward, on the thread that runs it; what it refers to must live until then.
[[nodiscard]] torch::Tensor recomputed(const torch::Tensor& input, std::vector<torch::Tensor> parameters,
    std::function<torch::Tensor(const torch::Tensor&)> pass);

} // namespace lockstep::engine
