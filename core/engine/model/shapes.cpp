// Layers without parameters.
#include "engine/model/layers.h"

#include <fmt/format.h>

#include <ATen/ATen.h>

namespace lockstep::engine {

namespace {

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

std::unique_ptr<Layer> makeFlatten()
{
    return std::make_unique<Flatten>();
}

} // namespace lockstep::engine
