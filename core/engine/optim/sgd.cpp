// w <- w - lr (g + wd w): Cauchy's gradient descent; with the gradient of a batch, Robbins and Monro's (1951).
#include "engine/optim/optimizers.h"
#include "engine/optim/plain_loop.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace lockstep::engine {

namespace {

/// Where the gradient comes from; the rule is the same.
enum class GradientOf { Whole, Part };

template <typename T>
LOCKSTEP_INLINED inline void descend(
    T* __restrict weights, const T* __restrict gradients, std::int64_t count, T rate, T decay)
{
    for (std::int64_t i = 0; i < count; ++i) {
        weights[i] -= rate * (gradients[i] + decay * weights[i]);
    }
}

class GradientDescent final : public Optimizer {
public:
    GradientDescent(Weights weights, double weightDecay, GradientOf batch)
        : m_weights(std::move(weights))
        , m_weightDecay(weightDecay)
        , m_batch(batch)
    { }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            if (arePlain(m_weights[i], gradients[i])) {
                withNumberType(m_weights[i], [&]<typename T>(T) {
                    T* const weights = m_weights[i].data_ptr<T>();
                    const T* const gradient = gradients[i].data_ptr<T>();
                    withVectors(usedSet(), [&, count = m_weights[i].numel()]() LOCKSTEP_INLINED {
                        descend(weights, gradient, count, static_cast<T>(learningRate), static_cast<T>(m_weightDecay));
                    });
                });
            } else if (m_weightDecay != 0.0) {
                m_weights[i].add_(gradients[i].add(m_weights[i], m_weightDecay), -learningRate);
            } else {
                m_weights[i].add_(gradients[i], -learningRate);
            }
        }
    }

    bool wantsWholeBatch() const override { return m_batch == GradientOf::Whole; }

private:
    Weights m_weights;
    double m_weightDecay;
    GradientOf m_batch;
};

} // namespace

std::unique_ptr<Optimizer> makeGd(const experiment::RunSpec& run, Weights weights)
{
    return std::make_unique<GradientDescent>(
        std::move(weights), run.settings->optimizer.weightDecay, GradientOf::Whole);
}

std::unique_ptr<Optimizer> makeSgd(const experiment::RunSpec& run, Weights weights)
{
    return std::make_unique<GradientDescent>(std::move(weights), run.settings->optimizer.weightDecay, GradientOf::Part);
}

} // namespace lockstep::engine
