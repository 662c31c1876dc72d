#include "engine/optim/optimizer.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace lockstep::engine {

double clipGradients(std::span<torch::Tensor> gradients, double limit)
{
    const at::NoGradGuard noGrad;
    double squares = 0.0;
    for (const torch::Tensor& gradient : gradients) {
        const double norm = gradient.norm().item<double>();
        squares += norm * norm;
    }
    const double norm = std::sqrt(squares);
    if (const double factor = limit / (norm + 1e-6); factor < 1.0) {
        for (torch::Tensor& gradient : gradients) {
            gradient.mul_(factor);
        }
    }
    return norm;
}

} // namespace lockstep::engine
