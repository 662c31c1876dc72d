// Heavy ball (Polyak 1964): v <- m v + g, w <- w - lr v. Nesterov's (1983), in the form of Sutskever et al. (2013,
// section 3) that PyTorch uses: w <- w - lr (g + m v). The first v is the first gradient.
#include "engine/optim/flush_denormals.h"
#include "engine/optim/optimizers.h"
#include "engine/optim/plain_loop.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace lockstep::engine {

namespace {

enum class Look { Here, Ahead };

template <typename T>
struct MomentumFactors {
    T rate, momentum, decay;
};

template <typename T>
LOCKSTEP_INLINED inline void roll(T* __restrict weights, const T* __restrict gradients, T* __restrict velocities,
    std::int64_t count, const MomentumFactors<T>& f)
{
    for (std::int64_t i = 0; i < count; ++i) {
        velocities[i] = f.momentum * velocities[i] + (gradients[i] + f.decay * weights[i]);
        weights[i] -= f.rate * velocities[i];
    }
}

template <typename T>
LOCKSTEP_INLINED inline void rollAhead(T* __restrict weights, const T* __restrict gradients, T* __restrict velocities,
    std::int64_t count, const MomentumFactors<T>& f)
{
    for (std::int64_t i = 0; i < count; ++i) {
        const T gradient = gradients[i] + f.decay * weights[i];
        velocities[i] = f.momentum * velocities[i] + gradient;
        weights[i] -= f.rate * (gradient + f.momentum * velocities[i]);
    }
}

class Momentum final : public Optimizer {
public:
    Momentum(Weights weights, double momentum, double weightDecay, Look look)
        : m_weights(std::move(weights))
        , m_momentum(momentum)
        , m_weightDecay(weightDecay)
        , m_look(look)
    {
        // With zero velocity before the first step, the first gradient becomes the first velocity.
        for (const torch::Tensor& weight : m_weights) {
            m_velocity.push_back(at::zeros_like(weight.detach()));
        }
    }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const at::NoGradGuard noGrad;
        const FlushDenormals flush;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            if (arePlain(m_weights[i], gradients[i], m_velocity[i])) {
                withNumberType(m_weights[i], [&]<typename T>(T) { loop<T>(i, gradients[i], learningRate); });
            } else {
                apply(i, gradients[i], learningRate);
            }
        }
    }

    std::vector<torch::Tensor> state() const override { return m_velocity; }

private:
    template <typename T>
    void loop(std::size_t i, const torch::Tensor& gradient, double learningRate)
    {
        const MomentumFactors<T> factors{
            static_cast<T>(learningRate), static_cast<T>(m_momentum), static_cast<T>(m_weightDecay)};
        withVectors(usedSet(),
            [&factors, isAhead = m_look == Look::Ahead, weights = m_weights[i].data_ptr<T>(),
                gradients = gradient.data_ptr<T>(), velocities = m_velocity[i].data_ptr<T>(),
                count = gradient.numel()]() LOCKSTEP_INLINED {
                if (isAhead) {
                    rollAhead(weights, gradients, velocities, count, factors);
                } else {
                    roll(weights, gradients, velocities, count, factors);
                }
            });
    }

    void apply(std::size_t i, const torch::Tensor& given, double learningRate)
    {
        const torch::Tensor gradient = m_weightDecay != 0.0 ? given.add(m_weights[i], m_weightDecay) : given;
        m_velocity[i].mul_(m_momentum).add_(gradient);
        m_weights[i].add_(
            m_look == Look::Ahead ? gradient.add(m_velocity[i], m_momentum) : m_velocity[i], -learningRate);
    }

    Weights m_weights;
    std::vector<torch::Tensor> m_velocity;
    double m_momentum;
    double m_weightDecay;
    Look m_look;
};

std::unique_ptr<Optimizer> make(const experiment::RunSpec& run, Weights weights, Look look)
{
    return std::make_unique<Momentum>(
        std::move(weights), run.settings->optimizer.momentum, run.settings->optimizer.weightDecay, look);
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
