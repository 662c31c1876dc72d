#include "engine/net/layers.h"
#include "engine/net/linear_weights.h"

namespace lockstep::engine {

namespace {

class Linear final : public Layer {
public:
    Linear(std::int64_t in, std::int64_t out, const LayerContext& context)
        : m_random(generatorOf(context))
        // In braces, because the order in which the two are drawn is fixed there.
        , m_weights{uniformTensor({out, in}, in, m_random, context), uniformTensor({out}, in, m_random, context)}
    { }

    torch::Tensor forward(const torch::Tensor& input) override { return m_weights.apply(input); }

    std::vector<NamedTensor> parameters() const override
    {
        return {{"weight", m_weights.weight()}, {"bias", m_weights.bias()}};
    }

    void clearGradients() override { m_weights.clearGradients(); }

    std::string description() const override
    {
        return "linear " + std::to_string(m_weights.weight().size(1)) + " -> "
            + std::to_string(m_weights.weight().size(0));
    }

private:
    at::Generator m_random;
    LinearWeights m_weights;
};

} // namespace

std::unique_ptr<Layer> makeLinear(std::int64_t in, std::int64_t out, const LayerContext& context)
{
    return std::make_unique<Linear>(in, out, context);
}

} // namespace lockstep::engine
