#include "engine/model/layers.h"

#include <fmt/format.h>

#include <ATen/ATen.h>

namespace lockstep::engine {

namespace {

class Convolution final : public Layer {
public:
    Convolution(const ConvolutionShape& shape, const LayerContext& context)
        : m_shape(shape)
        , m_group(context.group)
        , m_random(generatorOf(context))
        , m_weight(partOf(uniformTensor({shape.out, shape.in, shape.size, shape.size},
                              shape.in * shape.size * shape.size, m_random, context),
              weightPiece()))
        , m_bias(partOf(uniformTensor({shape.out}, shape.in * shape.size * shape.size, m_random, context), biasPiece()))
    { }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        if (isSharedByInputs()) {
            // The bias counts once: after the sum.
            return sumOverParts(at::conv2d(input, m_weight, {}, /*stride=*/1, m_shape.padding), m_group)
                + m_bias.view({1, -1, 1, 1});
        }
        return at::conv2d(copyToParts(input, m_group), m_weight, m_bias, /*stride=*/1, m_shape.padding);
    }

    std::vector<NamedTensor> parameters() const override
    {
        return {{"weight", m_weight, weightPiece()}, {"bias", m_bias, biasPiece()}};
    }

    std::string description() const override
    {
        return fmt::format("convolution {} -> {}, {} x {}{}", m_shape.in, m_shape.out, m_shape.size, m_shape.size,
            m_shape.padding > 0 ? fmt::format(", padding {}", m_shape.padding) : "");
    }

private:
    bool isSharedByInputs() const { return m_group != nullptr && m_shape.share == Share::Inputs; }

    std::optional<TensorPiece> weightPiece() const
    {
        return isSharedByInputs() ? std::optional(TensorPiece{1, m_shape.in, {m_group->shareOf(m_shape.in)}})
                                  : biasPiece();
    }

    std::optional<TensorPiece> biasPiece() const
    {
        return m_group != nullptr && !isSharedByInputs()
            ? std::optional(TensorPiece{0, m_shape.out, {m_group->shareOf(m_shape.out)}})
            : std::nullopt;
    }

    ConvolutionShape m_shape;
    TensorGroup* m_group;
    at::Generator m_random;
    torch::Tensor m_weight;
    torch::Tensor m_bias;
};

} // namespace

std::unique_ptr<Layer> makeConvolution(const ConvolutionShape& shape, const LayerContext& context)
{
    return std::make_unique<Convolution>(shape, context);
}

} // namespace lockstep::engine
