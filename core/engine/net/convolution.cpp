#include "engine/net/layers.h"

#include <ATen/ATen.h>

namespace lockstep::engine {

namespace {

class Convolution final : public Layer {
public:
    Convolution(const ConvolutionShape& shape, const LayerContext& context)
        : m_random(generatorOf(context))
        , m_weight(uniformTensor(
              {shape.out, shape.in, shape.size, shape.size}, shape.in * shape.size * shape.size, m_random, context))
        , m_bias(uniformTensor({shape.out}, shape.in * shape.size * shape.size, m_random, context))
        , m_padding(shape.padding)
    { }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        return at::conv2d(input, m_weight, m_bias, /*stride=*/1, m_padding);
    }

    std::vector<NamedTensor> parameters() const override { return {{"weight", m_weight}, {"bias", m_bias}}; }

    std::string description() const override
    {
        const std::string size = std::to_string(m_weight.size(2));
        return "convolution " + std::to_string(m_weight.size(1)) + " -> " + std::to_string(m_weight.size(0)) + ", "
            + size + " x " + size + (m_padding > 0 ? ", padding " + std::to_string(m_padding) : "");
    }

private:
    at::Generator m_random;
    torch::Tensor m_weight;
    torch::Tensor m_bias;
    std::int64_t m_padding;
};

} // namespace

std::unique_ptr<Layer> makeConvolution(const ConvolutionShape& shape, const LayerContext& context)
{
    return std::make_unique<Convolution>(shape, context);
}

} // namespace lockstep::engine
