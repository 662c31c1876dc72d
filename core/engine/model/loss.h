// The loss: cross entropy between scores and labels.
#pragma once

#include "engine/model/tensor_group.h"
#include "plan/slices.h"

#include <torch/types.h>

namespace lockstep::engine {

enum class Reduce { Mean, Sum };

/// scores: [..., classes], labels: [...] int64, over all labels: one a sample, or one at each of its positions. In
/// nats.
[[nodiscard]] torch::Tensor crossEntropy(
    const torch::Tensor& scores, const torch::Tensor& labels, Reduce reduce = Reduce::Mean);

/// The same where a tensor-parallel group shares the scores by classes: `here` says which of them `scores` [..., count]
/// are. The group exchanges three numbers a label: the maximum, the sum of the exponentials and the label's own score
/// (Shoeybi et al., "Megatron-LM", 2019, section 3). Every part gets the whole loss, and the gradient of its scores.
[[nodiscard]] torch::Tensor crossEntropyOfParts(const torch::Tensor& scores, const torch::Tensor& labels,
    const plan::Slice& here, TensorGroup& group, Reduce reduce = Reduce::Mean);

/// All scores [..., classes] from each part's own: for an evaluation, without a gradient.
[[nodiscard]] torch::Tensor joinScores(
    const torch::Tensor& scores, std::int64_t classes, const plan::Slice& here, TensorGroup& group);

} // namespace lockstep::engine
