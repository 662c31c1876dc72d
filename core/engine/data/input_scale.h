// Converts bytes to the nets' input: (x / 255 - mean) / deviation, with the usual mean and deviation of each channel of
// the data set. A net scales each batch, so that a data set takes a byte a pixel in memory.
#pragma once

#include "datasets/images.h"

#include <torch/types.h>

#include <span>

namespace lockstep::engine {

class InputScale {
public:
    /// `channels`: of each channel, or one for all. Empty: inputs are used as they are.
    InputScale(std::span<const datasets::ChannelScale> channels, at::ScalarType dtype, torch::Device device);

    /// Images [n, channels, rows, columns] of bytes, in the type of the net; other tensors as they are.
    [[nodiscard]] torch::Tensor operator()(const torch::Tensor& input) const;

private:
    torch::Tensor m_table; ///< [channels, 256]: all results that there are
    torch::Tensor m_rows; ///< [1, channels, 1, 1]: where a channel begins in the flat table
};

} // namespace lockstep::engine
