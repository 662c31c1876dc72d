#include "engine/model/loss_scaler.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

namespace lockstep::engine {

namespace {

constexpr double Growth = 2.0;
constexpr double Backoff = 0.5;
constexpr std::int64_t GrowsEvery = 2000; // steps
constexpr double Highest = 16'777'216.0; // 2^24: beyond it a single number that is not tiny overflows
constexpr double Lowest = 1.0 / 16'777'216.0;

} // namespace

bool LossScaler::areFinite(std::span<const torch::Tensor> gradients)
{
    const torch::NoGradGuard noGrad;
    return std::all_of(gradients.begin(), gradients.end(), [](const torch::Tensor& numbers) {
        if (numbers.numel() == 0) {
            return true;
        }
        const auto [least, most] = torch::aminmax(numbers);
        const torch::Tensor ends = torch::stack({least, most}).to(torch::kCPU, torch::kDouble);
        return std::isfinite(ends[0].item<double>()) && std::isfinite(ends[1].item<double>());
    });
}

bool LossScaler::unscale(std::span<torch::Tensor> gradients, bool areFinite)
{
    const torch::NoGradGuard noGrad;
    if (!areFinite) {
        m_scale = std::max(Lowest, m_scale * Backoff);
        m_goodSteps = 0;
        ++m_stepsSkipped;
        return false;
    }
    for (torch::Tensor& numbers : gradients) {
        numbers.mul_(1.0 / m_scale);
    }
    if (++m_goodSteps == GrowsEvery) {
        m_scale = std::min(Highest, m_scale * Growth);
        m_goodSteps = 0;
    }
    return true;
}

torch::Tensor LossScaler::state() const
{
    return torch::tensor(
        {m_scale, static_cast<double>(m_goodSteps), static_cast<double>(m_stepsSkipped)}, torch::kDouble);
}

void LossScaler::setState(const torch::Tensor& state)
{
    const auto* numbers = state.data_ptr<double>();
    m_scale = numbers[0];
    m_goodSteps = static_cast<std::int64_t>(numbers[1]);
    m_stepsSkipped = static_cast<std::int64_t>(numbers[2]);
}

} // namespace lockstep::engine
