// Layers without parameters.
#include "engine/kernels/relu_max_pool.h"
#include "engine/model/layers.h"

#include <fmt/format.h>

#include <ATen/ATen.h>
#include <torch/autograd.h>

#include <vector>

namespace lockstep::engine {

namespace {

PlaneShape planesOf(at::IntArrayRef sizes)
{
    return {.planes = sizes[0] * sizes[1], .rows = sizes[2], .columns = sizes[3]};
}

/// Keeps a byte an output for backward, where ATen keeps ReLU's whole output and eight bytes.
class ReluMaxPool : public torch::autograd::Function<ReluMaxPool> {
public:
    static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& input)
    {
        const at::IntArrayRef sizes = input.sizes();
        const torch::Tensor output = at::empty({sizes[0], sizes[1], sizes[2] / 2, sizes[3] / 2}, input.options());
        const torch::Tensor places = at::empty(output.sizes(), input.options().dtype(at::kByte));
        reluMaxPool(
            input.data_ptr<float>(), planesOf(sizes), output.data_ptr<float>(), places.data_ptr<std::uint8_t>());
        context->save_for_backward({places});
        context->saved_data["sizes"] = sizes;
        return output;
    }

    static torch::autograd::variable_list backward(
        torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients)
    {
        const torch::Tensor gradient = gradients[0].contiguous();
        const torch::Tensor places = context->get_saved_variables()[0];
        const std::vector<std::int64_t> sizes = context->saved_data["sizes"].toIntVector();
        const torch::Tensor inputGradient = at::empty(sizes, gradient.options());
        reluMaxPoolGradient(gradient.data_ptr<float>(), places.data_ptr<std::uint8_t>(), planesOf(sizes),
            inputGradient.data_ptr<float>());
        return {inputGradient};
    }
};

class Relu final : public Layer {
public:
    explicit Relu(ReluOutput output)
        : m_output(output)
    { }

    // In place where allowed: neither linear nor convolution needs its own output for its gradient, and a fresh tensor
    // per layer costs as much as the arithmetic.
    torch::Tensor forward(const torch::Tensor& input) override
    {
        torch::Tensor value = input;
        return m_output == ReluOutput::OverInput ? at::relu_(value) : at::relu(value);
    }
    std::string description() const override { return "ReLU"; }

private:
    ReluOutput m_output;
};

class MaxPool final : public Layer {
public:
    explicit MaxPool(std::int64_t size)
        : m_size(size)
    { }
    torch::Tensor forward(const torch::Tensor& input) override { return at::max_pool2d(input, {m_size, m_size}); }
    std::int64_t size() const { return m_size; }
    std::string description() const override { return fmt::format("max-pool {}", m_size); }

private:
    std::int64_t m_size;
};

class Flatten final : public Layer {
public:
    torch::Tensor forward(const torch::Tensor& input) override { return input.flatten(1); }
    std::string description() const override { return "flatten"; }
};

} // namespace

std::unique_ptr<Layer> makeRelu(ReluOutput output)
{
    return std::make_unique<Relu>(output);
}

std::unique_ptr<Layer> makeMaxPool(std::int64_t size)
{
    return std::make_unique<MaxPool>(size);
}

std::optional<torch::Tensor> throughReluAndMaxPool(const Layer& first, const Layer& second, const torch::Tensor& input)
{
    const auto* const pool = dynamic_cast<const MaxPool*>(&second);
    const bool isOnePass = pool != nullptr && pool->size() == 2 && dynamic_cast<const Relu*>(&first) != nullptr
        && input.is_cpu() && input.dim() == 4 && input.size(3) >= 4 && input.scalar_type() == at::kFloat
        && input.is_contiguous();
    return isOnePass ? std::optional(ReluMaxPool::apply(input)) : std::nullopt;
}

std::unique_ptr<Layer> makeFlatten()
{
    return std::make_unique<Flatten>();
}

} // namespace lockstep::engine
