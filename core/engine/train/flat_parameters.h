// All weights of a net in one buffer, and all gradients in another: the optimizer is one pass, and so is whatever sends
// them to other ranks. The net's own tensors become views of the two.
#pragma once

#include "engine/net/net.h"

#include <torch/types.h>

#include <vector>

namespace lockstep::engine {

class FlatParameters {
public:
    /// Moves the net's weights into one buffer. The net must outlive its use; its tensors stay valid, as views.
    explicit FlatParameters(Net& net);

    /// Every weight; parameters begin at multiples of 64 bytes (vector code wants that), the gaps hold zeros.
    [[nodiscard]] torch::Tensor& weights() { return m_weights; }
    [[nodiscard]] torch::Tensor& gradients() { return m_gradients; }

    /// Of each parameter within the buffers, without the gap behind it.
    struct Range {
        std::int64_t first = 0;
        std::int64_t count = 0;
    };
    [[nodiscard]] std::vector<Range> ranges() const;
    [[nodiscard]] const torch::Tensor& parameter(std::size_t i) const { return m_parameters[i]; }

    /// From now on the gradients are in `memory`, which is as long as they are.
    void moveGradients(const torch::Tensor& memory);

    /// The next backward writes every gradient anew. Makes sure that the net's tensors still point into the buffer.
    void clearGradients();
    /// For a step without a backward.
    void zeroGradients();

private:
    torch::Tensor m_weights;
    torch::Tensor m_gradients;
    std::vector<Layer*> m_layers;
    std::vector<torch::Tensor> m_parameters;
    std::vector<torch::Tensor> m_gradientViews;
};

} // namespace lockstep::engine
