// Adam (Kingma and Ba 2015, algorithm 1): m <- b1 m + (1 - b1) g, v <- b2 v + (1 - b2) g^2,
// w <- w - lr/(1 - b1^t) m / (sqrt(v)/sqrt(1 - b2^t) + eps). AdamW (Loshchilov and Hutter 2019, algorithm 2) takes the
// weight decay off the weights before the step instead of adding it to the gradient.
#include "engine/optim/rules.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace lockstep::engine {

namespace {

enum class Decay { InGradient, OnWeights };

struct AdamSettings {
    double beta1 = 0.0;
    double beta2 = 0.0;
    double epsilon = 0.0;
    double weightDecay = 0.0;
    Decay decay = Decay::InGradient;
};

class Adam final : public Optimizer {
public:
    Adam(Weights weights, const AdamSettings& settings)
        : m_weights(std::move(weights))
        , m_settings(settings)
    {
        for (const torch::Tensor& weight : m_weights) {
            m_mean.push_back(at::zeros_like(weight.detach()));
            m_square.push_back(at::zeros_like(weight.detach()));
            m_denominator.push_back(at::empty_like(weight.detach()));
        }
    }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const at::NoGradGuard noGrad;
        ++m_steps;
        const double correction1 = 1.0 - std::pow(m_settings.beta1, m_steps);
        const double correction2 = std::sqrt(1.0 - std::pow(m_settings.beta2, m_steps));
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            const torch::Tensor gradient = decayed(i, gradients[i], learningRate);
            m_mean[i].mul_(m_settings.beta1).add_(gradient, 1.0 - m_settings.beta1);
            m_square[i].mul_(m_settings.beta2).addcmul_(gradient, gradient, 1.0 - m_settings.beta2);
            at::sqrt_out(m_denominator[i], m_square[i]).div_(correction2).add_(m_settings.epsilon);
            m_weights[i].addcdiv_(m_mean[i], m_denominator[i], -learningRate / correction1);
        }
    }

    std::vector<torch::Tensor> state() const override
    {
        std::vector<torch::Tensor> all = m_mean;
        all.insert(all.end(), m_square.begin(), m_square.end());
        return all;
    }

private:
    torch::Tensor decayed(std::size_t i, const torch::Tensor& gradient, double learningRate)
    {
        if (m_settings.weightDecay == 0.0) {
            return gradient;
        }
        if (m_settings.decay == Decay::OnWeights) {
            m_weights[i].mul_(1.0 - learningRate * m_settings.weightDecay);
            return gradient;
        }
        return gradient.add(m_weights[i], m_settings.weightDecay);
    }

    Weights m_weights;
    AdamSettings m_settings;
    std::vector<torch::Tensor> m_mean;
    std::vector<torch::Tensor> m_square;
    std::vector<torch::Tensor> m_denominator; ///< kept, so that a step takes no memory
    int m_steps = 0;
};

std::unique_ptr<Optimizer> make(const experiment::RunSpec& run, Weights weights, Decay decay)
{
    return std::make_unique<Adam>(std::move(weights),
        AdamSettings{run.real("optimizer.beta1"), run.real("optimizer.beta2"), run.real("optimizer.epsilon"),
            run.real("optimizer.weight_decay"), decay});
}

} // namespace

std::unique_ptr<Optimizer> makeAdam(const experiment::RunSpec& run, Weights weights)
{
    return make(run, std::move(weights), Decay::InGradient);
}

std::unique_ptr<Optimizer> makeAdamW(const experiment::RunSpec& run, Weights weights)
{
    return make(run, std::move(weights), Decay::OnWeights);
}

} // namespace lockstep::engine
