#include "engine/strategy/apply_gradient.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <array>
#include <cmath>

namespace lockstep::engine {

double GradientPeers::ownSquares(std::span<const torch::Tensor> gradients) const
{
    const double norm = normOf(gradients);
    return norm * norm;
}

bool writesGradients(const Job& job, double clip)
{
    return clip > 0.0 || job.scaler.has_value();
}

torch::Tensor ownGradients(Job& job, const torch::Tensor& gradients)
{
    torch::Tensor& own = job.parameters.gradients();
    return gradients.is_alias_of(own) ? gradients : own.copy_(gradients);
}

Result<void> applyGradient(
    Job& job, std::span<torch::Tensor> gradients, double clip, double learningRate, GradientPeers& peers)
{
    const torch::NoGradGuard noGrad;
    if (writesGradients(job, clip)) {
        LOCKSTEP_TRY(peers.synchronize());
    }
    if (job.scaler) {
        std::array overflows{LossScaler::areFinite(gradients) ? 0.0 : 1.0};
        LOCKSTEP_TRY(peers.allReduceParts(overflows));
        if (!job.scaler->unscale(gradients, overflows[0] == 0.0)) {
            return {};
        }
    }
    if (clip > 0.0) {
        std::array squares{peers.ownSquares({gradients.data(), gradients.size()})};
        LOCKSTEP_TRY(peers.allReduceParts(squares));
        clipByNorm(gradients, std::sqrt(squares[0]), clip);
    }
    job.optimizer->step({gradients.data(), gradients.size()}, learningRate);
    return {};
}

} // namespace lockstep::engine
