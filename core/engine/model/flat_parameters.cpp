#include "engine/model/flat_parameters.h"

#include "engine/memory/memory_account.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <utility>

namespace lockstep::engine {

namespace {

constexpr std::int64_t AlignedElements = 16; // 64 bytes of float32

std::int64_t paddedSize(const torch::Tensor& parameter)
{
    return (parameter.numel() + AlignedElements - 1) / AlignedElements * AlignedElements;
}

} // namespace

FlatLayout layoutOf(const std::vector<NamedTensor>& parameters, std::int64_t multiple)
{
    FlatLayout layout;
    for (const NamedTensor& parameter : parameters) {
        layout.ranges.push_back({layout.size, parameter.tensor.numel()});
        layout.size += paddedSize(parameter.tensor);
    }
    layout.size = (layout.size + multiple - 1) / multiple * multiple;
    return layout;
}

FlatParameters::FlatParameters(torch::Tensor weights, torch::Tensor gradients)
    : m_weights(std::move(weights))
    , m_gradients(std::move(gradients))
{ }

FlatParameters::FlatParameters(Net& net, std::int64_t multiple)
{
    const torch::NoGradGuard noGrad;
    for (std::size_t i = 0; i < net.layerCount(); ++i) {
        m_layers.push_back(&net.layer(i));
    }
    FlatLayout layout = layoutOf(net.parameters(), multiple);
    m_ranges = std::move(layout.ranges);
    for (const NamedTensor& parameter : net.parameters()) {
        m_parameters.push_back(parameter.tensor);
    }
    const auto options = m_parameters.empty() ? torch::TensorOptions() : m_parameters.front().options();
    const MemoryScope asParameters(MemoryKind::Parameters);
    m_weights = torch::zeros({layout.size}, options.requires_grad(false));
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        torch::Tensor& parameter = m_parameters[i];
        const auto [first, count] = m_ranges[i];
        const torch::Tensor view = m_weights.narrow(0, first, count).view(parameter.sizes());
        view.copy_(parameter);
        parameter.set_data(view);
    }
    // Only now that the net's own tensors are free: weights, their copy and gradients never coexist.
    const MemoryScope asGradients(MemoryKind::Gradients);
    m_gradientViews.resize(m_parameters.size());
    moveGradients(torch::zeros({layout.size}, options.requires_grad(false)));
}

void FlatParameters::moveGradients(const torch::Tensor& memory)
{
    const torch::NoGradGuard noGrad;
    m_gradients = memory;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        torch::Tensor& parameter = m_parameters[i];
        const auto [first, count] = m_ranges[i];
        m_gradientViews[i] = m_gradients.narrow(0, first, count).view(parameter.sizes());
        parameter.mutable_grad() = m_gradientViews[i];
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
