#include "engine/net/layers.h"

#include <ATen/ATen.h>

namespace lockstep::engine {

namespace {

class Convolution final : public Layer {
public:
    Convolution(std::int64_t in, std::int64_t out, std::int64_t size, const LayerContext& context)
        : m_random(generatorOf(context))
        , m_weight(uniformTensor({out, in, size, size}, in * size * size, m_random, context))
        , m_bias(uniformTensor({out}, in * size * size, m_random, context))
    { }

    torch::Tensor forward(const torch::Tensor& input) override { return at::conv2d(input, m_weight, m_bias); }

    std::vector<NamedTensor> parameters() const override { return {{"weight", m_weight}, {"bias", m_bias}}; }

    std::string description() const override
    {
        const std::string size = std::to_string(m_weight.size(2));
        return "convolution " + std::to_string(m_weight.size(1)) + " -> " + std::to_string(m_weight.size(0)) + ", "
            + size + " x " + size;
    }

private:
    at::Generator m_random;
    torch::Tensor m_weight;
    torch::Tensor m_bias;
};

} // namespace

std::unique_ptr<Layer> makeConvolution(
    std::int64_t in, std::int64_t out, std::int64_t size, const LayerContext& context)
{
    return std::make_unique<Convolution>(in, out, size, context);
}

} // namespace lockstep::engine
