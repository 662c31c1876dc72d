#include "engine/model/evaluation.h"

#include "engine/model/loss.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>

namespace lockstep::engine {

namespace {

constexpr std::int64_t TimesOnDevice = 16; ///< a GPU is used better with larger batches

} // namespace

void TestSums::add(const torch::Tensor& scores, const torch::Tensor& labels)
{
    const torch::Tensor correct = scores.argmax(-1).eq(labels).sum();
    const torch::Tensor loss = crossEntropy(scores, labels, Reduce::Sum).to(torch::kDouble);
    m_correct = m_labels == 0 ? correct : m_correct + correct;
    m_loss = m_labels == 0 ? loss : m_loss + loss;
    m_labels += labels.numel();
}

TestScore TestSums::score() const
{
    return scoreOf(numbers());
}

std::array<double, 3> TestSums::numbers() const
{
    if (m_labels == 0) {
        return {};
    }
    return {static_cast<double>(m_correct.item<std::int64_t>()), m_loss.item<double>(), static_cast<double>(m_labels)};
}

TestScore TestSums::scoreOf(const std::array<double, 3>& numbers)
{
    const auto [correct, loss, labels] = numbers;
    return labels == 0.0 ? TestScore{} : TestScore{correct / labels, loss / labels};
}

TestSums evaluate(Net& net, const LabelledInputs& data)
{
    const torch::NoGradGuard noGrad;
    TestSums sums;
    const std::int64_t atOnce = net.evaluatedAtOnce() * (data.inputs.device().is_cpu() ? 1 : TimesOnDevice);
    for (std::int64_t first = 0; first < data.size(); first += atOnce) {
        const std::int64_t count = std::min(atOnce, data.size() - first);
        sums.add(net.forward(data.inputs.narrow(0, first, count)), data.labels.narrow(0, first, count));
    }
    return sums;
}

} // namespace lockstep::engine
