// Adam (Kingma and Ba 2015, algorithm 1): m <- b1 m + (1 - b1) g, v <- b2 v + (1 - b2) g^2,
// w <- w - lr/(1 - b1^t) m / (sqrt(v)/sqrt(1 - b2^t) + eps). AdamW (Loshchilov and Hutter 2019, algorithm 2) takes the
// weight decay off the weights before the step instead of adding it to the gradient.
#include "engine/optim/flush_denormals.h"
#include "engine/optim/optimizers.h"
#include "engine/optim/plain_loop.h"

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

/// Of one step. Decay is one of the two: `shrink` of the weights, or `pull` added to the gradient.
template <typename T>
struct AdamFactors {
    T beta1, beta2, rest1, rest2; ///< rest = 1 - beta, rounded once
    T correction2, epsilon, rate, shrink, pull;
};

template <typename T>
LOCKSTEP_INLINED inline void adapt(T* __restrict weights, const T* __restrict gradients, T* __restrict means,
    T* __restrict squares, std::int64_t count, const AdamFactors<T>& f)
{
    for (std::int64_t i = 0; i < count; ++i) {
        const T weight = weights[i] * f.shrink;
        const T gradient = gradients[i] + f.pull * weight;
        means[i] = f.beta1 * means[i] + f.rest1 * gradient;
        squares[i] = f.beta2 * squares[i] + f.rest2 * gradient * gradient;
        weights[i] = weight - f.rate * means[i] / (std::sqrt(squares[i]) / f.correction2 + f.epsilon);
    }
}

class Adam final : public Optimizer {
public:
    Adam(Weights weights, const AdamSettings& settings)
        : m_weights(std::move(weights))
        , m_settings(settings)
    {
        for (const torch::Tensor& weight : m_weights) {
            m_mean.push_back(at::zeros_like(weight.detach()));
            m_square.push_back(at::zeros_like(weight.detach()));
        }
    }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const at::NoGradGuard noGrad;
        const FlushDenormals flush;
        ++m_steps;
        const double correction1 = 1.0 - std::pow(m_settings.beta1, m_steps);
        const double correction2 = std::sqrt(1.0 - std::pow(m_settings.beta2, m_steps));
        const Corrections corrections{correction1, correction2};
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            if (arePlain(m_weights[i], gradients[i], m_mean[i], m_square[i])) {
                withNumberType(
                    m_weights[i], [&]<typename T>(T) { loop<T>(i, gradients[i], learningRate, corrections); });
            } else {
                apply(i, gradients[i], learningRate, corrections);
            }
        }
    }

    std::int64_t stepsTaken() const override { return m_steps; }
    void setStepsTaken(std::int64_t steps) override { m_steps = static_cast<int>(steps); }

    std::vector<torch::Tensor> state() const override
    {
        std::vector<torch::Tensor> all = m_mean;
        all.insert(all.end(), m_square.begin(), m_square.end());
        return all;
    }

private:
    /// 1 - b1^t and sqrt(1 - b2^t).
    struct Corrections {
        double first;
        double second;
    };

    template <typename T>
    void loop(std::size_t i, const torch::Tensor& gradient, double learningRate, const Corrections& corrections)
    {
        const bool onWeights = m_settings.decay == Decay::OnWeights;
        const AdamFactors<T> factors{
            .beta1 = static_cast<T>(m_settings.beta1),
            .beta2 = static_cast<T>(m_settings.beta2),
            .rest1 = static_cast<T>(1.0 - m_settings.beta1),
            .rest2 = static_cast<T>(1.0 - m_settings.beta2),
            .correction2 = static_cast<T>(corrections.second),
            .epsilon = static_cast<T>(m_settings.epsilon),
            .rate = static_cast<T>(learningRate / corrections.first),
            .shrink = static_cast<T>(onWeights ? 1.0 - learningRate * m_settings.weightDecay : 1.0),
            .pull = static_cast<T>(onWeights ? 0.0 : m_settings.weightDecay),
        };
        withVectors(usedSet(),
            [&factors, weights = m_weights[i].data_ptr<T>(), gradients = gradient.data_ptr<T>(),
                means = m_mean[i].data_ptr<T>(), squares = m_square[i].data_ptr<T>(), count = gradient.numel()]()
                LOCKSTEP_INLINED { adapt(weights, gradients, means, squares, count, factors); });
    }

    void apply(std::size_t i, const torch::Tensor& given, double learningRate, const Corrections& corrections)
    {
        const torch::Tensor gradient = decayed(i, given, learningRate);
        m_mean[i].mul_(m_settings.beta1).add_(gradient, 1.0 - m_settings.beta1);
        m_square[i].mul_(m_settings.beta2).addcmul_(gradient, gradient, 1.0 - m_settings.beta2);
        const torch::Tensor denominator = m_square[i].sqrt().div_(corrections.second).add_(m_settings.epsilon);
        m_weights[i].addcdiv_(m_mean[i], denominator, -learningRate / corrections.first);
    }

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
    int m_steps = 0;
};

std::unique_ptr<Optimizer> make(const experiment::RunSpec& run, Weights weights, Decay decay)
{
    return std::make_unique<Adam>(std::move(weights),
        AdamSettings{run.settings->optimizer.beta1, run.settings->optimizer.beta2, run.settings->optimizer.epsilon,
            run.settings->optimizer.weightDecay, decay});
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
