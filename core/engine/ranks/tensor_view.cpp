#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

#include <cassert>

namespace lockstep::engine {

comm::Space spaceOf(const torch::Tensor& tensor)
{
    return tensor.device().is_cpu() ? comm::Space::Host : comm::Space::Device;
}

comm::View viewOf(torch::Tensor& tensor)
{
    assert(tensor.is_contiguous());
    const at::ScalarType type = tensor.scalar_type();
    const comm::DataType element = type == torch::kFloat64 ? comm::DataType::Float64
        : type == torch::kBFloat16                         ? comm::DataType::BFloat16
        : type == torch::kFloat16                          ? comm::DataType::Float16
                                                           : comm::DataType::Float32;
    return {tensor.data_ptr(), tensor.numel(), element, spaceOf(tensor)};
}

} // namespace lockstep::engine
