#include "engine/train/loss.h"

#include <torch/torch.h>

namespace lockstep::engine {

torch::Tensor crossEntropy(const torch::Tensor& scores, const torch::Tensor& labels, Reduce reduce)
{
    const auto reduction = reduce == Reduce::Mean ? at::Reduction::Mean : at::Reduction::Sum;
    if (labels.dim() == 1) {
        return torch::cross_entropy_loss(scores, labels, {}, reduction);
    }
    return torch::cross_entropy_loss(scores.flatten(0, -2), labels.flatten(), {}, reduction);
}

} // namespace lockstep::engine
