// How a communicator sees a tensor.
#pragma once

#include "engine/comm/types.h"

#include <torch/types.h>

namespace lockstep::engine {

/// The memory that holds the tensor's numbers.
[[nodiscard]] comm::Space spaceOf(const torch::Tensor& tensor);
/// The numbers of a contiguous tensor.
[[nodiscard]] comm::View viewOf(torch::Tensor& tensor);

} // namespace lockstep::engine
