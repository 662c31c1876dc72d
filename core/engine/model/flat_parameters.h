// All weights of a net in one buffer, and all gradients in another: the optimizer is one pass, and so is sending them
// to other ranks. The net's own tensors become views of the two.
#pragma once

#include "engine/model/net.h"

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace lockstep::engine {

/// Where parameters lie in a buffer: one after the other, each at a multiple of 64 bytes (vector code wants that).
struct FlatLayout {
    /// One parameter, without the gap behind it.
    struct Range {
        std::int64_t first = 0;
        std::int64_t count = 0;
    };
    std::vector<Range> ranges;
    std::int64_t size = 0; ///< of the buffer
};

/// The buffer's size is a multiple of `multiple`.
[[nodiscard]] FlatLayout layoutOf(const std::vector<NamedTensor>& parameters, std::int64_t multiple = 1);

class FlatParameters {
public:
    /// Moves the net's weights into one buffer. The net must outlive its use; its tensors stay valid, as views. The
    /// buffers' size is a multiple of `multiple`, for ranks that share them out.
    explicit FlatParameters(Net& net, std::int64_t multiple = 1);
    /// For a rank that does not keep all of the net's weights or gradients between two steps: no tensor of a net is a
    /// view of these.
    FlatParameters(torch::Tensor weights, torch::Tensor gradients);

    /// Every weight, laid out as layoutOf() says; the gaps hold zeros.
    [[nodiscard]] torch::Tensor& weights() { return m_weights; }
    [[nodiscard]] torch::Tensor& gradients() { return m_gradients; }

    using Range = FlatLayout::Range;
    /// Of each parameter within the buffers.
    [[nodiscard]] const std::vector<Range>& ranges() const { return m_ranges; }
    [[nodiscard]] const torch::Tensor& parameter(std::size_t i) const { return m_parameters[i]; }

    /// From now on the gradients are in `memory`, which is as long as they are.
    void moveGradients(const torch::Tensor& memory);

    /// The next backward overwrites every gradient. Makes sure that the net's tensors still point into the buffer.
    void clearGradients();
    /// For a step without a backward.
    void zeroGradients();

private:
    torch::Tensor m_weights;
    torch::Tensor m_gradients;
    std::vector<Range> m_ranges;
    std::vector<Layer*> m_layers;
    std::vector<torch::Tensor> m_parameters;
    std::vector<torch::Tensor> m_gradientViews;
};

} // namespace lockstep::engine
