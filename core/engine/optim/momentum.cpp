// Heavy ball (Polyak 1964): v <- m v + g, w <- w - lr v. Nesterov's (1983), in the form of Sutskever et al. (2013,
// section 3) that PyTorch uses: w <- w - lr (g + m v). The first v is the first gradient.
#include "engine/optim/rules.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace lockstep::engine {

namespace {

enum class Look { Here, Ahead };

class Momentum final : public Optimizer {
public:
    Momentum(Weights weights, double momentum, double weightDecay, Look look)
        : m_weights(std::move(weights))
        , m_momentum(momentum)
        , m_weightDecay(weightDecay)
        , m_look(look)
    { }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            const torch::Tensor gradient
                = m_weightDecay != 0.0 ? gradients[i].add(m_weights[i], m_weightDecay) : gradients[i];
            if (m_velocity.size() <= i) {
                m_velocity.push_back(gradient.clone());
            } else {
                m_velocity[i].mul_(m_momentum).add_(gradient);
            }
            if (m_look == Look::Ahead) {
                m_weights[i].add_(gradient.add(m_velocity[i], m_momentum), -learningRate);
            } else {
                m_weights[i].add_(m_velocity[i], -learningRate);
            }
        }
    }

    std::vector<torch::Tensor> state() const override { return m_velocity; }

private:
    Weights m_weights;
    std::vector<torch::Tensor> m_velocity;
    double m_momentum;
    double m_weightDecay;
    Look m_look;
};

std::unique_ptr<Optimizer> make(const experiment::RunSpec& run, Weights weights, Look look)
{
    return std::make_unique<Momentum>(
        std::move(weights), run.real("optimizer.momentum"), run.real("optimizer.weight_decay"), look);
}

} // namespace

std::unique_ptr<Optimizer> makeMomentum(const experiment::RunSpec& run, Weights weights)
{
    return make(run, std::move(weights), Look::Here);
}

std::unique_ptr<Optimizer> makeNesterov(const experiment::RunSpec& run, Weights weights)
{
    return make(run, std::move(weights), Look::Ahead);
}

} // namespace lockstep::engine
