#include "engine/optim/optimizer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace lockstep::engine {

double normOf(std::span<const torch::Tensor> gradients)
{
    const at::NoGradGuard noGrad;
    double squares = 0.0;
    for (const torch::Tensor& gradient : gradients) {
        const double norm = gradient.norm().item<double>();
        squares += norm * norm;
    }
    return std::sqrt(squares);
}

void clipByNorm(std::span<torch::Tensor> gradients, double norm, double limit)
{
    const at::NoGradGuard noGrad;
    if (const double factor = limit / (norm + 1e-6); factor < 1.0) {
        for (torch::Tensor& gradient : gradients) {
            gradient.mul_(factor);
        }
    }
}

double clipGradients(std::span<torch::Tensor> gradients, double limit)
{
    const double norm = normOf(gradients);
    clipByNorm(gradients, norm, limit);
    return norm;
}

} // namespace lockstep::engine
