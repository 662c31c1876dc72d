#include "engine/model/linear_weights.h"

#include "engine/compat/libtorch.h"

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <utility>

namespace lockstep::engine {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Adds to the existing gradient, or overwrites it if `isFresh`, which it then resets.
class KeptWeights {
public:
    explicit KeptWeights(AutogradContext* context)
        : m_isFresh(*reinterpret_cast<bool*>(context->saved_data[Name].toInt()))
    { }

    static void keep(AutogradContext* context, bool& isFresh)
    {
        context->saved_data[Name] = reinterpret_cast<std::int64_t>(&isFresh);
    }
    [[nodiscard]] double take() const { return std::exchange(m_isFresh, false) ? 0.0 : 1.0; }

private:
    static constexpr const char* Name = "isFresh";
    bool& m_isFresh;
};

/// In autocast's type; unchanged where that is off.
torch::Tensor cast(const torch::Tensor& tensor)
{
    const auto type = autocastType(tensor.device().type());
    return type ? tensor.to(*type) : tensor;
}

/// weights' gradient <- kept * itself + y' x, which have fewer digits under autocast.
void addProduct(torch::Tensor& sum, const torch::Tensor& gradient, const torch::Tensor& input, double kept)
{
    if (gradient.scalar_type() == sum.scalar_type()) {
        sum.addmm_(gradient.t(), input, kept);
    } else if (kept == 0.0) {
        sum.copy_(gradient.t().mm(input));
    } else {
        sum.add_(gradient.t().mm(input));
    }
}

/// x W' + b. Autograd would make a temporary as large as the weights and add it in a separate pass: most of the time
/// for small batches.
class LinearFunction : public torch::autograd::Function<LinearFunction> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& input, const torch::Tensor& weight,
        const torch::Tensor& bias, bool& isFresh)
    {
        KeptWeights::keep(context, isFresh);
        const torch::Tensor x = cast(input);
        context->save_for_backward({x, weight, bias});
        return at::linear(x, cast(weight), cast(bias));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const torch::NoGradGuard noGrad;
        const torch::Tensor& gradient = gradients[0];
        const auto saved = context->get_saved_variables();
        const torch::Tensor& input = saved[0];
        torch::Tensor weightGradient = saved[1].grad();
        torch::Tensor biasGradient = saved[2].grad();
        variable_list result(4);
        if (context->needs_input_grad(0)) {
            result[0] = gradient.mm(saved[1].to(gradient.scalar_type()));
        }
        if (weightGradient.defined() && biasGradient.defined()) {
            const double kept = KeptWeights(context).take();
            addProduct(weightGradient, gradient, input, kept);
            const torch::Tensor sum = gradient.sum(0, /*keepdim=*/false, biasGradient.scalar_type());
            if (kept == 0.0) {
                biasGradient.copy_(sum); // 0 times an overflow would be NaN
            } else {
                biasGradient.add_(sum);
            }
        } else {
            result[1] = gradient.t().mm(input);
            result[2] = gradient.sum(0);
        }
        return result;
    }
};

/// x W': where the bias comes after a sum.
class ProductFunction : public torch::autograd::Function<ProductFunction> {
public:
    static torch::Tensor forward(
        AutogradContext* context, const torch::Tensor& input, const torch::Tensor& weight, bool& isFresh)
    {
        KeptWeights::keep(context, isFresh);
        const torch::Tensor x = cast(input);
        context->save_for_backward({x, weight});
        return at::linear(x, cast(weight));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const torch::NoGradGuard noGrad;
        const torch::Tensor& gradient = gradients[0];
        const auto saved = context->get_saved_variables();
        torch::Tensor weightGradient = saved[1].grad();
        variable_list result(3);
        if (context->needs_input_grad(0)) {
            result[0] = gradient.mm(saved[1].to(gradient.scalar_type()));
        }
        if (weightGradient.defined()) {
            addProduct(weightGradient, gradient, saved[0], KeptWeights(context).take());
        } else {
            result[1] = gradient.t().mm(saved[0]);
        }
        return result;
    }
};

} // namespace

LinearWeights::LinearWeights(torch::Tensor weight, torch::Tensor bias, TensorGroup* group, Share share)
    : m_weight(std::move(weight))
    , m_bias(std::move(bias))
    , m_group(group)
    , m_share(share)
{ }

void LinearWeights::clearGradients()
{
    m_isFresh = true;
    if (m_group != nullptr && m_share == Share::Inputs && m_bias.grad().defined()) {
        m_bias.mutable_grad().zero_(); // autograd adds to it
    }
}

torch::Tensor LinearWeights::apply(const torch::Tensor& input)
{
    if (m_group != nullptr && m_share == Share::Inputs) {
        return sumOverParts(ProductFunction::apply(input, m_weight, m_isFresh), m_group) + m_bias;
    }
    return LinearFunction::apply(copyToParts(input, m_group), m_weight, m_bias, m_isFresh);
}

} // namespace lockstep::engine
