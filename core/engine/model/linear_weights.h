// Weight and bias of a linear map, for the layers that contain one. Private to engine/model.
#pragma once

#include "engine/model/tensor_group.h"

#include <torch/types.h>

namespace lockstep::engine {

/// How ranks share a linear map: plan/net.h says where which.
enum class Share { Outputs, Inputs };

/// y = x W' + b with W [out, in], whose backward adds the weights' gradient straight into its tensor, or overwrites it
/// after clearGradients(). Must not move: backward refers to it. If ranks share it, W and b are this rank's part (of
/// inputs: the columns of W, and the whole b, which is added after the sum), and so are x or y.
class LinearWeights {
public:
    LinearWeights(torch::Tensor weight, torch::Tensor bias, TensorGroup* group = nullptr, Share share = Share::Outputs);
    LinearWeights(const LinearWeights&) = delete;
    LinearWeights& operator=(const LinearWeights&) = delete;

    /// [rows, in] -> [rows, out], a fresh tensor.
    [[nodiscard]] torch::Tensor apply(const torch::Tensor& input);
    void clearGradients();
    [[nodiscard]] const torch::Tensor& weight() const { return m_weight; }
    [[nodiscard]] const torch::Tensor& bias() const { return m_bias; }

private:
    torch::Tensor m_weight;
    torch::Tensor m_bias;
    TensorGroup* m_group; ///< null: this rank has it all
    Share m_share;
    bool m_isFresh = false;
};

} // namespace lockstep::engine
