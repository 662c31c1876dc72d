#include "engine/compat/libtorch.h"
#include "engine/model/layers.h"
#include "engine/model/recompute.h"

#include <fmt/format.h>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::engine {

void Layer::clearGradients()
{
    for (NamedTensor& parameter : parameters()) {
        if (parameter.tensor.grad().defined()) {
            parameter.tensor.mutable_grad().zero_();
        }
    }
}

Net::Net(std::vector<std::unique_ptr<Layer>> layers, std::size_t firstIndex)
    : m_layers(std::move(layers))
{
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        if (const auto tied = m_layers[i]->tiedParameter()) {
            m_tiedParameter = m_parameters.size() + *tied;
        }
        for (NamedTensor& parameter : m_layers[i]->parameters()) {
            parameter.name = fmt::format("{}.{}", firstIndex + i, parameter.name);
            m_parameters.push_back(std::move(parameter));
        }
    }
}

Net Net::joined(std::vector<Net> ranges)
{
    Net all(std::vector<std::unique_ptr<Layer>>(), 0);
    for (Net& range : ranges) {
        all.m_arithmetic = range.m_arithmetic;
        all.m_evaluatedAtOnce = range.m_evaluatedAtOnce;
        all.m_scale = all.m_scale ? all.m_scale : range.m_scale;
        if (range.m_tiedParameter) {
            all.m_tiedParameter = all.m_parameters.size() + *range.m_tiedParameter;
        }
        std::move(range.m_layers.begin(), range.m_layers.end(), std::back_inserter(all.m_layers));
        std::move(range.m_parameters.begin(), range.m_parameters.end(), std::back_inserter(all.m_parameters));
    }
    return all;
}

torch::Tensor Net::forward(const torch::Tensor& input)
{
    if (m_segments.empty()) {
        return forward(input, 0, m_layers.size());
    }
    torch::Tensor value = input;
    for (const plan::LayerSegment& segment : m_segments) {
        value = segment.isRecomputed ? recomputedPass(value, segment.layers) : pass(value, segment.layers);
    }
    return toWeightsType(value);
}

torch::Tensor Net::forward(const torch::Tensor& input, std::size_t first, std::size_t count)
{
    return toWeightsType(pass(input, {static_cast<std::int64_t>(first), static_cast<std::int64_t>(count)}));
}

torch::Tensor Net::forwardRecomputed(const torch::Tensor& input, std::size_t first, std::size_t count)
{
    return toWeightsType(recomputedPass(input, {static_cast<std::int64_t>(first), static_cast<std::int64_t>(count)}));
}

torch::Tensor Net::pass(const torch::Tensor& input, const plan::Slice& layers)
{
    const Autocast autocast(input.device().type(), m_arithmetic.autocast);
    torch::Tensor value = m_scale ? (*m_scale)(input) : input;
    if (m_arithmetic.isChannelsLast && value.dim() == 4) {
        value = value.contiguous(at::MemoryFormat::ChannelsLast);
    }
    const auto end = static_cast<std::size_t>(layers.first + layers.count);
    for (auto i = static_cast<std::size_t>(layers.first); i < end; ++i) {
        Layer& layer = *m_layers[i];
        auto throughBoth = i + 1 < end ? throughReluAndMaxPool(layer, *m_layers[i + 1], value) : std::nullopt;
        i += throughBoth ? 1 : 0;
        value = throughBoth ? std::move(*throughBoth) : layer.forward(value);
    }
    return value;
}

torch::Tensor Net::recomputedPass(const torch::Tensor& input, const plan::Slice& layers)
{
    std::vector<torch::Tensor> parameters;
    for (std::int64_t i = layers.first; i < layers.first + layers.count; ++i) {
        for (NamedTensor& parameter : m_layers[static_cast<std::size_t>(i)]->parameters()) {
            parameters.push_back(std::move(parameter.tensor));
        }
    }
    return recomputed(
        input, std::move(parameters), [this, layers](const torch::Tensor& from) { return pass(from, layers); });
}

torch::Tensor Net::toWeightsType(const torch::Tensor& value) const
{
    return m_arithmetic.autocast && !m_parameters.empty() ? value.to(m_parameters.front().tensor.scalar_type()) : value;
}

std::int64_t Net::parameterCount() const
{
    std::int64_t count = 0;
    for (const NamedTensor& parameter : m_parameters) {
        count += parameter.tensor.numel();
    }
    return count;
}

torch::Tensor uniformTensor(
    std::initializer_list<std::int64_t> shape, std::int64_t fanIn, at::Generator& random, const LayerContext& context)
{
    const double bound = 1.0 / std::sqrt(static_cast<double>(fanIn));
    const torch::Tensor values = at::empty(shape, at::kFloat).uniform_(-bound, bound, random);
    return values.to(context.device, context.dtype).requires_grad_(true);
}

torch::Tensor normalTensor(
    std::initializer_list<std::int64_t> shape, double deviation, at::Generator& random, const LayerContext& context)
{
    const torch::Tensor values = at::empty(shape, at::kFloat).normal_(0.0, deviation, random);
    return values.to(context.device, context.dtype).requires_grad_(true);
}

torch::Tensor partOf(const torch::Tensor& whole, const std::optional<TensorPiece>& piece)
{
    if (!piece) {
        return whole;
    }
    std::vector<torch::Tensor> slices;
    for (const plan::Slice& slice : piece->slices) {
        slices.push_back(whole.detach().narrow(piece->dimension, slice.first, slice.count));
    }
    return at::cat(slices, piece->dimension).contiguous().requires_grad_(true);
}

at::Generator generatorOf(const LayerContext& context)
{
    return at::make_generator<at::CPUGeneratorImpl>(context.seed.number);
}

} // namespace lockstep::engine
