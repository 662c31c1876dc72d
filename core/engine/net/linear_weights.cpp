#include "engine/net/linear_weights.h"

#include <torch/torch.h>

#include <utility>

namespace lockstep::engine {

namespace {

/// Autograd's own way makes a temporary as large as the weights and adds it in a pass of its own: for
/// small batches most of the time. `isFresh`: what is there is to be overwritten.
class LinearFunction : public torch::autograd::Function<LinearFunction> {
public:
    static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& input,
        const torch::Tensor& weight, const torch::Tensor& bias, bool& isFresh)
    {
        context->saved_data["isFresh"] = reinterpret_cast<std::int64_t>(&isFresh);
        context->save_for_backward({input, weight, bias});
        return at::linear(input, weight, bias);
    }

    static torch::autograd::variable_list backward(
        torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients)
    {
        const torch::NoGradGuard noGrad;
        const torch::Tensor& gradient = gradients[0];
        const auto saved = context->get_saved_variables();
        const torch::Tensor& input = saved[0];
        torch::Tensor weightGradient = saved[1].grad();
        torch::Tensor biasGradient = saved[2].grad();
        torch::autograd::variable_list result(4);
        if (context->needs_input_grad(0)) {
            result[0] = gradient.mm(saved[1]);
        }
        if (weightGradient.defined() && biasGradient.defined()) {
            bool& isFresh = *reinterpret_cast<bool*>(context->saved_data["isFresh"].toInt());
            const double kept = isFresh ? 0.0 : 1.0;
            isFresh = false;
            weightGradient.addmm_(gradient.t(), input, kept);
            biasGradient.mul_(kept).add_(gradient.sum(0));
        } else {
            result[1] = gradient.t().mm(input);
            result[2] = gradient.sum(0);
        }
        return result;
    }
};

} // namespace

LinearWeights::LinearWeights(torch::Tensor weight, torch::Tensor bias)
    : m_weight(std::move(weight))
    , m_bias(std::move(bias))
{ }

torch::Tensor LinearWeights::apply(const torch::Tensor& input)
{
    return LinearFunction::apply(input, m_weight, m_bias, m_isFresh);
}

} // namespace lockstep::engine
