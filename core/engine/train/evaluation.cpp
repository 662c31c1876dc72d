#include "engine/train/evaluation.h"

#include <torch/torch.h>

#include <algorithm>

namespace lockstep::engine {

void TestSums::add(const torch::Tensor& scores, const torch::Tensor& labels)
{
    const torch::Tensor correct = scores.argmax(1).eq(labels).sum();
    const torch::Tensor loss = torch::cross_entropy_loss(scores, labels, {}, at::Reduction::Sum).to(torch::kDouble);
    m_correct = m_samples == 0 ? correct : m_correct + correct;
    m_loss = m_samples == 0 ? loss : m_loss + loss;
    m_samples += labels.size(0);
}

TestScore TestSums::score() const
{
    if (m_samples == 0) {
        return {};
    }
    const auto samples = static_cast<double>(m_samples);
    return {static_cast<double>(m_correct.item<std::int64_t>()) / samples, m_loss.item<double>() / samples};
}

TestScore evaluate(Net& net, const LabelledImages& images)
{
    const torch::NoGradGuard noGrad;
    TestSums sums;
    for (std::int64_t first = 0; first < images.size(); first += EvaluatedAtOnce) {
        const std::int64_t count = std::min(EvaluatedAtOnce, images.size() - first);
        sums.add(net.forward(images.images.narrow(0, first, count)), images.labels.narrow(0, first, count));
    }
    return sums.score();
}

} // namespace lockstep::engine
