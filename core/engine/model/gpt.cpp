// The layers of a decoder-only transformer as GPT-2 has them (Radford et al. 2019; Vaswani et al. 2017): layer norm
// before each half of a block, normal weights (std 0.02, divided by sqrt(2 blocks) at the end of a half), no dropout.
#include "engine/model/attention.h"
#include "engine/model/layers.h"
#include "engine/model/linear_weights.h"

#include <fmt/format.h>

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

namespace lockstep::engine {

namespace {

constexpr double Deviation = 0.02;
constexpr double NormEpsilon = 1e-5;

torch::Tensor zeros(std::int64_t size, const LayerContext& context)
{
    return at::zeros({size}, at::TensorOptions(context.device).dtype(context.dtype)).requires_grad_(true);
}

/// Where a group shares `size` rows or columns.
std::optional<TensorPiece> pieceOf(std::int64_t dimension, std::int64_t size, const LayerContext& context)
{
    return context.group != nullptr ? std::optional(TensorPiece{dimension, size, {context.group->shareOf(size)}})
                                    : std::nullopt;
}

/// Drawn before the embedding's others, so that a head far away can draw the same.
torch::Tensor tokenWeights(const GptShape& shape, at::Generator& random, const LayerContext& context)
{
    return normalTensor({Bytes, shape.width}, Deviation, random, context);
}

/// Ba et al. 2016, over the last dimension.
struct LayerNorm {
    LayerNorm(std::int64_t width, const LayerContext& context)
        : weight(at::ones({width}, at::TensorOptions(context.device).dtype(context.dtype)).requires_grad_(true))
        , bias(zeros(width, context))
    { }

    [[nodiscard]] torch::Tensor apply(const torch::Tensor& input) const
    {
        return at::layer_norm(input.to(weight.scalar_type()), weight.sizes(), weight, bias, NormEpsilon);
    }

    torch::Tensor weight;
    torch::Tensor bias;
};

class Embedding final : public Layer {
public:
    Embedding(const GptShape& shape, const LayerContext& context)
        : m_random(generatorOf(context))
        , m_group(context.group)
        , m_piece(pieceOf(0, Bytes, context))
        , m_token(partOf(tokenWeights(shape, m_random, context), m_piece))
        , m_position(normalTensor({shape.context, shape.width}, Deviation, m_random, context))
        , m_isTied(shape.isTied)
    { }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        return sumOverParts(tokens(input), m_group).add_(m_position.narrow(0, 0, input.size(1)));
    }

    std::vector<NamedTensor> parameters() const override
    {
        return {{"token", m_token, m_piece}, {"position", m_position}};
    }
    std::optional<std::size_t> tiedParameter() const override
    {
        return m_isTied ? std::optional<std::size_t>(0) : std::nullopt;
    }
    std::string description() const override { return "embedding"; }

private:
    /// Each part looks up the letters that it has, and gives zeros for the others.
    torch::Tensor tokens(const torch::Tensor& input) const
    {
        if (!m_piece) {
            return at::embedding(m_token, input);
        }
        const plan::Slice& mine = m_piece->slices.front();
        const torch::Tensor places = input - mine.first;
        const torch::Tensor isHere = places.ge(0).logical_and_(places.lt(mine.count));
        return at::embedding(m_token, places.clamp(0, mine.count - 1)) * isHere.unsqueeze(-1).to(m_token.scalar_type());
    }

    at::Generator m_random;
    TensorGroup* m_group;
    std::optional<TensorPiece> m_piece; ///< of the letters
    torch::Tensor m_token; ///< [256, width]
    torch::Tensor m_position; ///< [context, width]
    bool m_isTied;
};

class Block final : public Layer {
public:
    Block(const GptShape& shape, std::int64_t number, const LayerContext& context)
        : m_number(number)
        , m_heads(context.group != nullptr ? shape.heads / context.group->parts() : shape.heads)
        , m_perHead(shape.width / shape.heads)
        , m_headRows(headRows(shape, context))
        , m_headColumns(pieceOf(1, shape.width, context))
        , m_wideRows(pieceOf(0, 4 * shape.width, context))
        , m_wideColumns(pieceOf(1, 4 * shape.width, context))
        , m_random(generatorOf(context))
        , m_norm1(shape.width, context)
        , m_attention(partOf(drawn(3 * shape.width, shape.width, Deviation, context), m_headRows),
              partOf(zeros(3 * shape.width, context), m_headRows), context.group, Share::Outputs)
        , m_projection(partOf(drawn(shape.width, shape.width, lastDeviation(shape), context), m_headColumns),
              zeros(shape.width, context), context.group, Share::Inputs)
        , m_norm2(shape.width, context)
        , m_widen(partOf(drawn(4 * shape.width, shape.width, Deviation, context), m_wideRows),
              partOf(zeros(4 * shape.width, context), m_wideRows), context.group, Share::Outputs)
        , m_narrow(partOf(drawn(shape.width, 4 * shape.width, lastDeviation(shape), context), m_wideColumns),
              zeros(shape.width, context), context.group, Share::Inputs)
    { }

    // Sums overwrite the linear map's fresh output, never the input.
    torch::Tensor forward(const torch::Tensor& input) override
    {
        const torch::Tensor x = input.reshape({-1, input.size(2)});
        const torch::Tensor attended
            = m_projection.apply(attention(m_norm1.apply(x), input.size(0), input.size(1))).add_(x);
        const torch::Tensor wide = at::gelu(m_widen.apply(m_norm2.apply(attended)), "tanh");
        return m_narrow.apply(wide).add_(attended).view(input.sizes());
    }

    std::vector<NamedTensor> parameters() const override
    {
        return {{"norm1.weight", m_norm1.weight}, {"norm1.bias", m_norm1.bias},
            {"attention.weight", m_attention.weight(), m_headRows}, {"attention.bias", m_attention.bias(), m_headRows},
            {"projection.weight", m_projection.weight(), m_headColumns}, {"projection.bias", m_projection.bias()},
            {"norm2.weight", m_norm2.weight}, {"norm2.bias", m_norm2.bias},
            {"widen.weight", m_widen.weight(), m_wideRows}, {"widen.bias", m_widen.bias(), m_wideRows},
            {"narrow.weight", m_narrow.weight(), m_wideColumns}, {"narrow.bias", m_narrow.bias()}};
    }

    void clearGradients() override
    {
        for (torch::Tensor parameter : {m_norm1.weight, m_norm1.bias, m_norm2.weight, m_norm2.bias}) {
            if (parameter.grad().defined()) {
                parameter.mutable_grad().zero_();
            }
        }
        for (LinearWeights* weights : {&m_attention, &m_projection, &m_widen, &m_narrow}) {
            weights->clearGradients();
        }
    }

    std::string description() const override { return fmt::format("block {}", m_number); }

private:
    torch::Tensor drawn(std::int64_t out, std::int64_t in, double deviation, const LayerContext& context)
    {
        return normalTensor({out, in}, deviation, m_random, context);
    }

    /// For the weights before a residual sum: variances of the 2 * blocks successive sums add up.
    static double lastDeviation(const GptShape& shape)
    {
        return Deviation / std::sqrt(2.0 * static_cast<double>(shape.blocks));
    }

    /// Queries, keys and values of this rank's heads, which are contiguous in each of the three.
    static std::optional<TensorPiece> headRows(const GptShape& shape, const LayerContext& context)
    {
        if (context.group == nullptr) {
            return std::nullopt;
        }
        const plan::Slice mine = context.group->shareOf(shape.width);
        TensorPiece piece{0, 3 * shape.width, {}};
        for (std::int64_t part = 0; part < 3; ++part) {
            piece.slices.push_back({part * shape.width + mine.first, mine.count});
        }
        return piece;
    }

    /// Of this rank's heads; [n * tokens, width] in, their width out.
    torch::Tensor attention(const torch::Tensor& input, std::int64_t samples, std::int64_t tokens)
    {
        return causalAttention(
            m_attention.apply(input), {.samples = samples, .tokens = tokens, .heads = m_heads, .perHead = m_perHead});
    }

    std::int64_t m_number;
    std::int64_t m_heads; ///< that are here
    std::int64_t m_perHead;
    std::optional<TensorPiece> m_headRows; ///< of the attention's weights
    std::optional<TensorPiece> m_headColumns; ///< of the projection's
    std::optional<TensorPiece> m_wideRows;
    std::optional<TensorPiece> m_wideColumns;
    at::Generator m_random;
    LayerNorm m_norm1;
    LinearWeights m_attention; ///< queries, keys and values, one below the other: [3 width, width]
    LinearWeights m_projection;
    LayerNorm m_norm2;
    LinearWeights m_widen; ///< [4 width, width]
    LinearWeights m_narrow;
};

class Head final : public Layer {
public:
    Head(const GptShape& shape, const LayerContext& context)
        : m_norm(shape.width, context)
        , m_group(context.group)
        , m_piece(pieceOf(0, Bytes, context))
        , m_isShared(shape.isTied && context.first != nullptr)
        , m_isTied(shape.isTied)
    {
        if (m_isShared) {
            m_weight = context.first->parameters().front().tensor;
            return;
        }
        LayerContext source = context;
        source.seed = shape.isTied ? context.seedOfFirst : context.seed;
        at::Generator random = generatorOf(source);
        m_weight = partOf(tokenWeights(shape, random, context), m_piece);
    }

    torch::Tensor forward(const torch::Tensor& input) override
    {
        const torch::Tensor x = copyToParts(m_norm.apply(input.reshape({-1, input.size(2)})), m_group);
        return x.mm(m_weight.t()).view({input.size(0), input.size(1), m_weight.size(0)});
    }

    std::vector<NamedTensor> parameters() const override
    {
        std::vector<NamedTensor> result{{"norm.weight", m_norm.weight}, {"norm.bias", m_norm.bias}};
        if (!m_isShared) {
            result.push_back({"weight", m_weight, m_piece});
        }
        return result;
    }

    std::optional<std::size_t> tiedParameter() const override
    {
        return m_isTied && !m_isShared ? std::optional<std::size_t>(2) : std::nullopt;
    }

    std::optional<plan::Slice> outputPiece() const override
    {
        return m_piece ? std::optional(m_piece->slices.front()) : std::nullopt;
    }

    std::string description() const override { return "head"; }

private:
    LayerNorm m_norm;
    TensorGroup* m_group;
    std::optional<TensorPiece> m_piece; ///< of the letters
    bool m_isShared; ///< the weight belongs to the embedding
    bool m_isTied;
    torch::Tensor m_weight; ///< [256, width]
};

} // namespace

std::unique_ptr<Layer> makeEmbedding(const GptShape& shape, const LayerContext& context)
{
    return std::make_unique<Embedding>(shape, context);
}

std::unique_ptr<Layer> makeBlock(const GptShape& shape, std::int64_t number, const LayerContext& context)
{
    return std::make_unique<Block>(shape, number, context);
}

std::unique_ptr<Layer> makeHead(const GptShape& shape, const LayerContext& context)
{
    return std::make_unique<Head>(shape, context);
}

} // namespace lockstep::engine
