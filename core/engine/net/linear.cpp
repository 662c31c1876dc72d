#include "engine/net/layers.h"

#include <ATen/ATen.h>

namespace lockstep::engine {

namespace {

class Linear final : public Layer {
public:
    Linear(std::int64_t in, std::int64_t out, const LayerContext& context)
        : m_random(generatorOf(context))
        , m_weight(uniformTensor({out, in}, in, m_random, context))
        , m_bias(uniformTensor({out}, in, m_random, context))
    { }

    torch::Tensor forward(const torch::Tensor& input) override { return at::linear(input, m_weight, m_bias); }

    std::vector<NamedTensor> parameters() const override { return {{"weight", m_weight}, {"bias", m_bias}}; }

    std::string description() const override
    {
        return "linear " + std::to_string(m_weight.size(1)) + " -> " + std::to_string(m_weight.size(0));
    }

private:
    at::Generator m_random;
    torch::Tensor m_weight;
    torch::Tensor m_bias;
};

} // namespace

std::unique_ptr<Layer> makeLinear(std::int64_t in, std::int64_t out, const LayerContext& context)
{
    return std::make_unique<Linear>(in, out, context);
}

} // namespace lockstep::engine
