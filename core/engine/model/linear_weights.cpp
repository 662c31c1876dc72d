#include "engine/model/linear_weights.h"

#include "engine/compat/libtorch.h"
#include "engine/kernels/matrix_product.h"

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <optional>
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

/// None of what is not float32, on the CPU, in rows or columns one after the other.
std::optional<Matrix> matrixOf(const torch::Tensor& tensor)
{
    if (!tensor.is_cpu() || tensor.scalar_type() != torch::kFloat || tensor.dim() != 2) {
        return std::nullopt;
    }
    const auto* const numbers = tensor.data_ptr<float>();
    if (tensor.stride(1) == 1 && tensor.stride(0) >= tensor.size(1)) {
        return Matrix{numbers, tensor.stride(0), false};
    }
    if (tensor.stride(0) == 1 && tensor.stride(1) >= tensor.size(0)) {
        return Matrix{numbers, tensor.stride(1), true};
    }
    return std::nullopt;
}

/// A product that oneDNN computes, rather than LibTorch.
struct OneDnnProduct {
    ProductShape shape;
    Matrix left;
    Matrix right;

    /// sum <- kept * sum + left right; `sum` in rows.
    void addTo(torch::Tensor& sum, double kept) const
    {
        addMatrixProduct(shape, left, right, static_cast<float>(kept), sum.data_ptr<float>());
    }
};

/// None if LibTorch is to compute it.
std::optional<OneDnnProduct> oneDnnProduct(const torch::Tensor& left, const torch::Tensor& right)
{
    const auto leftMatrix = matrixOf(left);
    const auto rightMatrix = matrixOf(right);
    if (!leftMatrix || !rightMatrix) {
        return std::nullopt;
    }
    const ProductShape shape{.rows = left.size(0), .columns = right.size(1), .depth = left.size(1)};
    return isForOneDnn(shape) ? std::optional(OneDnnProduct{shape, *leftMatrix, *rightMatrix}) : std::nullopt;
}

/// sum <- kept * sum + left right, all of one type; `sum` in rows.
void addProductTo(torch::Tensor& sum, const torch::Tensor& left, const torch::Tensor& right, double kept)
{
    if (const auto byOneDnn = oneDnnProduct(left, right)) {
        byOneDnn->addTo(sum, kept);
    } else {
        sum.addmm_(left, right, kept);
    }
}

torch::Tensor product(const torch::Tensor& left, const torch::Tensor& right)
{
    const auto byOneDnn = oneDnnProduct(left, right);
    if (!byOneDnn) {
        return left.mm(right);
    }
    torch::Tensor result = torch::empty({left.size(0), right.size(1)}, left.options().requires_grad(false));
    byOneDnn->addTo(result, 0.0);
    return result;
}

torch::Tensor productAndBias(const torch::Tensor& input, const torch::Tensor& weight, const torch::Tensor& bias)
{
    const auto byOneDnn = oneDnnProduct(input, weight.t());
    if (!byOneDnn) {
        return at::linear(input, weight, bias);
    }
    torch::Tensor result = bias.expand({input.size(0), bias.size(0)}).contiguous();
    byOneDnn->addTo(result, 1.0);
    return result;
}

/// weights' gradient <- kept * itself + y' x, which have fewer digits under autocast.
void addProduct(torch::Tensor& sum, const torch::Tensor& gradient, const torch::Tensor& input, double kept)
{
    if (gradient.scalar_type() == sum.scalar_type()) {
        addProductTo(sum, gradient.t(), input, kept);
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
        return productAndBias(x, cast(weight), cast(bias));
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
            result[0] = product(gradient, saved[1].to(gradient.scalar_type()));
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
            result[1] = product(gradient.t(), input);
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
        return product(x, cast(weight).t());
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const torch::NoGradGuard noGrad;
        const torch::Tensor& gradient = gradients[0];
        const auto saved = context->get_saved_variables();
        torch::Tensor weightGradient = saved[1].grad();
        variable_list result(3);
        if (context->needs_input_grad(0)) {
            result[0] = product(gradient, saved[1].to(gradient.scalar_type()));
        }
        if (weightGradient.defined()) {
            addProduct(weightGradient, gradient, saved[0], KeptWeights(context).take());
        } else {
            result[1] = product(gradient.t(), saved[0]);
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
