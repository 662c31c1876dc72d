#include "engine/train/evaluation.h"

#include <torch/torch.h>

#include <algorithm>

namespace lockstep::engine {

namespace {

// Small enough that the activations of the convolutional net stay near the cache and out of the memory account.
constexpr std::int64_t ChunkSamples = 64;

} // namespace

TestScore evaluate(Net& net, const LabelledImages& images)
{
    const torch::NoGradGuard noGrad;
    const std::int64_t total = images.size();
    if (total == 0) {
        return {};
    }
    // Sums stay on the device until the end: one transfer instead of one a chunk.
    const auto onDevice = torch::TensorOptions().device(images.images.device());
    torch::Tensor correct = torch::zeros({}, onDevice.dtype(torch::kLong));
    torch::Tensor loss = torch::zeros({}, onDevice.dtype(torch::kDouble));
    for (std::int64_t first = 0; first < total; first += ChunkSamples) {
        const std::int64_t count = std::min(ChunkSamples, total - first);
        const torch::Tensor labels = images.labels.narrow(0, first, count);
        const torch::Tensor scores = net.forward(images.images.narrow(0, first, count));
        correct += scores.argmax(1).eq(labels).sum();
        loss += torch::cross_entropy_loss(scores, labels, {}, at::Reduction::Sum);
    }
    const auto samples = static_cast<double>(total);
    return {static_cast<double>(correct.item<std::int64_t>()) / samples, loss.item<double>() / samples};
}

} // namespace lockstep::engine
