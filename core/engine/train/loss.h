// The loss: cross entropy between scores and labels.
#pragma once

#include <torch/types.h>

namespace lockstep::engine {

enum class Reduce { Mean, Sum };

/// scores: [..., classes], labels: [...] int64, over all labels: one a sample, or one at each of its positions. In
/// nats.
[[nodiscard]] torch::Tensor crossEntropy(
    const torch::Tensor& scores, const torch::Tensor& labels, Reduce reduce = Reduce::Mean);

} // namespace lockstep::engine
