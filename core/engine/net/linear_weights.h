// Weight and bias of a linear map, for the layers that contain one. Private to engine/net.
#pragma once

#include <torch/types.h>

namespace lockstep::engine {

/// y = x W' + b with W [out, in], whose backward adds the weights' gradient straight into the tensor that is there for
/// it, or writes it over what is there after clearGradients(). Stays where it is: backward looks for it there.
class LinearWeights {
public:
    LinearWeights(torch::Tensor weight, torch::Tensor bias);
    LinearWeights(const LinearWeights&) = delete;
    LinearWeights& operator=(const LinearWeights&) = delete;

    /// [rows, in] -> [rows, out], a fresh tensor.
    [[nodiscard]] torch::Tensor apply(const torch::Tensor& input);
    void clearGradients() { m_isFresh = true; }
    [[nodiscard]] const torch::Tensor& weight() const { return m_weight; }
    [[nodiscard]] const torch::Tensor& bias() const { return m_bias; }

private:
    torch::Tensor m_weight;
    torch::Tensor m_bias;
    bool m_isFresh = false;
};

} // namespace lockstep::engine
