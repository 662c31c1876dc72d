// Activation recomputation (plan/activations.h has the sources and what it saves): forward keeps only its input, and
// backward runs it again.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace lockstep::engine {

/// pass(input) with the same result and the same gradients, bit for bit, for a deterministic pass (there is no
/// dropout). `parameters`: all that the pass reads and that require a gradient. The gradients reach each parameter at
/// the same time and in the same order as without recomputation, so hooks see no difference. `pass` is called here and
/// in backward, on the thread that runs it; what it refers to must live until then.
[[nodiscard]] torch::Tensor recomputed(const torch::Tensor& input, std::vector<torch::Tensor> parameters,
    std::function<torch::Tensor(const torch::Tensor&)> pass);

} // namespace lockstep::engine
