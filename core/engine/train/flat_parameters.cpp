#include "engine/train/flat_parameters.h"

#include "engine/memory/memory_account.h"

#include <torch/torch.h>

namespace lockstep::engine {

namespace {

constexpr std::int64_t AlignedElements = 16; // 64 bytes of float32

std::int64_t paddedSize(const torch::Tensor& parameter)
{
    return (parameter.numel() + AlignedElements - 1) / AlignedElements * AlignedElements;
}

} // namespace

FlatParameters::FlatParameters(Net& net)
{
    const torch::NoGradGuard noGrad;
    for (std::size_t i = 0; i < net.layerCount(); ++i) {
        m_layers.push_back(&net.layer(i));
    }
    std::int64_t total = 0;
    for (const NamedTensor& parameter : net.parameters()) {
        total += paddedSize(parameter.tensor);
        m_parameters.push_back(parameter.tensor);
    }
    const auto options = m_parameters.empty() ? torch::TensorOptions() : m_parameters.front().options();
    const MemoryScope asParameters(MemoryKind::Parameters);
    m_weights = torch::zeros({total}, options.requires_grad(false));
    std::int64_t first = 0;
    for (torch::Tensor& parameter : m_parameters) {
        const torch::Tensor view = m_weights.narrow(0, first, parameter.numel()).view(parameter.sizes());
        view.copy_(parameter);
        parameter.set_data(view);
        first += paddedSize(parameter);
    }
    // Only now, when the net's own tensors are free: weights, their copy and gradients are never there together.
    const MemoryScope asGradients(MemoryKind::Gradients);
    m_gradientViews.resize(m_parameters.size());
    moveGradients(torch::zeros({total}, options.requires_grad(false)));
}

std::vector<FlatParameters::Range> FlatParameters::ranges() const
{
    std::vector<Range> ranges;
    std::int64_t first = 0;
    for (const torch::Tensor& parameter : m_parameters) {
        ranges.push_back({first, parameter.numel()});
        first += paddedSize(parameter);
    }
    return ranges;
}

void FlatParameters::moveGradients(const torch::Tensor& memory)
{
    const torch::NoGradGuard noGrad;
    m_gradients = memory;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        torch::Tensor& parameter = m_parameters[i];
        m_gradientViews[i] = m_gradients.narrow(0, first, parameter.numel()).view(parameter.sizes());
        parameter.mutable_grad() = m_gradientViews[i];
        first += paddedSize(parameter);
    }
    m_gradients.zero_();
}

void FlatParameters::clearGradients()
{
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        // Autograd adds in place to a gradient that is there, so this is a check that costs nothing.
        if (!m_parameters[i].grad().is_same(m_gradientViews[i])) {
            m_parameters[i].mutable_grad() = m_gradientViews[i];
        }
    }
    for (Layer* layer : m_layers) {
        layer->clearGradients();
    }
}

void FlatParameters::zeroGradients()
{
    m_gradients.zero_();
}

} // namespace lockstep::engine
