#include "engine/net/layers.h"

#include <torch/torch.h>

namespace lockstep::engine {

namespace {

/// y = x W' + b, whose backward adds the weights' gradient straight into the tensor that is there for it. Autograd's own
/// way makes a temporary as large as the weights and adds it in a pass of its own: for small batches most of the time.
/// `isFresh`: what is there is to be overwritten.
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

class Linear final : public Layer {
public:
    Linear(std::int64_t in, std::int64_t out, const LayerContext& context)
        : m_random(generatorOf(context))
        , m_weight(uniformTensor({out, in}, in, m_random, context))
        , m_bias(uniformTensor({out}, in, m_random, context))
    { }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        return LinearFunction::apply(input, m_weight, m_bias, m_isFresh);
    }

    std::vector<NamedTensor> parameters() const override { return {{"weight", m_weight}, {"bias", m_bias}}; }

    void clearGradients() override { m_isFresh = true; }

    std::string description() const override
    {
        return "linear " + std::to_string(m_weight.size(1)) + " -> " + std::to_string(m_weight.size(0));
    }

private:
    at::Generator m_random;
    torch::Tensor m_weight;
    torch::Tensor m_bias;
    bool m_isFresh = false;
};

} // namespace

std::unique_ptr<Layer> makeLinear(std::int64_t in, std::int64_t out, const LayerContext& context)
{
    return std::make_unique<Linear>(in, out, context);
}

} // namespace lockstep::engine
