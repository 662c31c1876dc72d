// The kinds of layer, and the builders that the registry's nets are made of. Private to engine/model.
#pragma once

#include "engine/model/linear_weights.h"
#include "engine/model/net.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace lockstep::engine {

/// A layer's device and types, and where its weights come from.
struct LayerContext {
    at::ScalarType dtype;
    torch::Device device;
    Seed seed; ///< of this layer alone
    bool isFirst = false; ///< its input belongs to the caller
    Seed seedOfFirst{}; ///< of layer 0 of the whole net
    const Layer* first = nullptr; ///< layer 0 of the whole net, where this range holds it
    TensorGroup* group = nullptr; ///< null: this rank has the whole layer
};

/// y = x W' + b; weight [out, in].
[[nodiscard]] std::unique_ptr<Layer> makeLinear(
    std::int64_t in, std::int64_t out, Share share, const LayerContext& context);
struct ConvolutionShape {
    std::int64_t in = 0; ///< channels
    std::int64_t out = 0; ///< channels
    std::int64_t size = 0; ///< of the square kernel
    std::int64_t padding = 0; ///< zeros on each side
    Share share = Share::Outputs; ///< of the channels, where a group shares them
};
/// Stride 1; weight [out, in, size, size].
[[nodiscard]] std::unique_ptr<Layer> makeConvolution(const ConvolutionShape& shape, const LayerContext& context);
/// Where the result may be written: over an input that only the previous layer has seen, or elsewhere.
enum class ReluOutput { OverInput, Fresh };
[[nodiscard]] std::unique_ptr<Layer> makeRelu(ReluOutput output);
/// Windows of size x size that do not overlap.
[[nodiscard]] std::unique_ptr<Layer> makeMaxPool(std::int64_t size);
/// Through both in one pass, with the bits of two; none unless these are a ReLU and a max-pool of 2, for float32 in
/// NCHW order on the CPU.
[[nodiscard]] std::optional<torch::Tensor> throughReluAndMaxPool(
    const Layer& first, const Layer& second, const torch::Tensor& input);
/// [n, ...] -> [n, features].
[[nodiscard]] std::unique_ptr<Layer> makeFlatten();

/// A GPT's sizes. Inside it values are [n, tokens, width], tokens at most `context`.
struct GptShape {
    std::int64_t width = 0;
    std::int64_t heads = 0; ///< divide the width
    std::int64_t blocks = 0;
    std::int64_t context = 0;
    bool isTied = false; ///< the head's weight is the token embedding
};
/// Different bytes: a GPT's vocabulary.
inline constexpr std::int64_t Bytes = 256;
/// [n, tokens] int64 -> [n, tokens, width].
[[nodiscard]] std::unique_ptr<Layer> makeEmbedding(const GptShape& shape, const LayerContext& context);
/// Number `number`, from 1.
[[nodiscard]] std::unique_ptr<Layer> makeBlock(const GptShape& shape, std::int64_t number, const LayerContext& context);
/// [n, tokens, width] -> [n, tokens, 256]: a score for each byte that could come next.
[[nodiscard]] std::unique_ptr<Layer> makeHead(const GptShape& shape, const LayerContext& context);

/// A copy of the part of a parameter that `piece` describes; without one, of all of it.
[[nodiscard]] torch::Tensor partOf(const torch::Tensor& whole, const std::optional<TensorPiece>& piece);

/// LibTorch's own generator, seeded for this layer alone.
[[nodiscard]] at::Generator generatorOf(const LayerContext& context);

/// Uniform in +- 1/sqrt(fanIn): equals Kaiming's uniform initialisation with a = sqrt(5), for weights and biases (He et
/// al. 2015; PyTorch's default). Always drawn in float32, so float32 and float64 start from the same numbers.
[[nodiscard]] torch::Tensor uniformTensor(
    std::initializer_list<std::int64_t> shape, std::int64_t fanIn, at::Generator& random, const LayerContext& context);
/// Normal around 0, drawn in float32 as well.
[[nodiscard]] torch::Tensor normalTensor(
    std::initializer_list<std::int64_t> shape, double deviation, at::Generator& random, const LayerContext& context);

} // namespace lockstep::engine
