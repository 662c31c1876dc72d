// w <- w - lr (g + wd w): Cauchy's gradient descent; with the gradient of a batch, Robbins and Monro's (1951).
#include "engine/optim/rules.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace lockstep::engine {

namespace {

/// Where the gradient comes from; the rule is the same.
enum class Batch { Whole, Part };

class GradientDescent final : public Optimizer {
public:
    GradientDescent(Weights weights, double weightDecay, Batch batch)
        : m_weights(std::move(weights))
        , m_weightDecay(weightDecay)
        , m_batch(batch)
    { }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const at::NoGradGuard noGrad;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            if (m_weightDecay != 0.0) {
                m_weights[i].add_(gradients[i].add(m_weights[i], m_weightDecay), -learningRate);
            } else {
                m_weights[i].add_(gradients[i], -learningRate);
            }
        }
    }

    bool wantsWholeBatch() const override { return m_batch == Batch::Whole; }

private:
    Weights m_weights;
    double m_weightDecay;
    Batch m_batch;
};

} // namespace

std::unique_ptr<Optimizer> makeGd(const experiment::RunSpec& run, Weights weights)
{
    return std::make_unique<GradientDescent>(std::move(weights), run.real("optimizer.weight_decay"), Batch::Whole);
}

std::unique_ptr<Optimizer> makeSgd(const experiment::RunSpec& run, Weights weights)
{
    return std::make_unique<GradientDescent>(std::move(weights), run.real("optimizer.weight_decay"), Batch::Part);
}

} // namespace lockstep::engine
