#include "engine/model/layers.h"

#include <fmt/format.h>

namespace lockstep::engine {

namespace {

class Linear final : public Layer {
public:
    Linear(std::int64_t in, std::int64_t out, Share share, const LayerContext& context)
        : m_in(in)
        , m_out(out)
        , m_share(share)
        , m_group(context.group)
        , m_random(generatorOf(context))
        // In braces, because the order in which the two are drawn is fixed there.
        , m_weights{partOf(uniformTensor({out, in}, in, m_random, context), weightPiece()),
              partOf(uniformTensor({out}, in, m_random, context), biasPiece()), context.group, share}
    { }

    torch::Tensor forward(const torch::Tensor& input) override { return m_weights.apply(input); }

    std::vector<NamedTensor> parameters() const override
    {
        return {{"weight", m_weights.weight(), weightPiece()}, {"bias", m_weights.bias(), biasPiece()}};
    }

    std::optional<plan::Slice> outputPiece() const override
    {
        return biasPiece() ? std::optional(m_group->shareOf(m_out)) : std::nullopt;
    }

    void clearGradients() override { m_weights.clearGradients(); }

    std::string description() const override { return fmt::format("linear {} -> {}", m_in, m_out); }

private:
    std::optional<TensorPiece> weightPiece() const
    {
        if (m_group == nullptr) {
            return std::nullopt;
        }
        return m_share == Share::Outputs ? biasPiece() : TensorPiece{1, m_in, {m_group->shareOf(m_in)}};
    }

    std::optional<TensorPiece> biasPiece() const
    {
        return m_group != nullptr && m_share == Share::Outputs
            ? std::optional(TensorPiece{0, m_out, {m_group->shareOf(m_out)}})
            : std::nullopt;
    }

    std::int64_t m_in;
    std::int64_t m_out;
    Share m_share;
    TensorGroup* m_group;
    at::Generator m_random;
    LinearWeights m_weights;
};

} // namespace

std::unique_ptr<Layer> makeLinear(std::int64_t in, std::int64_t out, Share share, const LayerContext& context)
{
    return std::make_unique<Linear>(in, out, share, context);
}

} // namespace lockstep::engine
