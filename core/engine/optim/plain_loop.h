// One pass over plain memory instead of a chain of tensor operations. Private to engine/optim.
#pragma once

#include "engine/kernels/instruction_set.h"

#include <torch/types.h>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace lockstep::engine {

/// Whether all of them are float32, or all float64, dense, on the CPU and of one size: then the rules' own loops run,
/// which the compiler vectorises; anything else (CUDA, other dtypes) uses tensor operations.
template <std::same_as<torch::Tensor>... Others>
[[nodiscard]] bool arePlain(const torch::Tensor& first, const Others&... others)
{
    const bool known = first.scalar_type() == torch::kFloat || first.scalar_type() == torch::kDouble;
    const auto isLikeFirst = [&](const torch::Tensor& other) {
        return other.is_cpu() && other.is_contiguous() && other.scalar_type() == first.scalar_type()
            && other.numel() == first.numel();
    };
    return known && isLikeFirst(first) && (isLikeFirst(others) && ...);
}

/// Calls loop(T{}) with T the type of `tensor`'s numbers, float or double.
template <typename Loop>
void withNumberType(const torch::Tensor& tensor, const Loop& loop)
{
    if (tensor.scalar_type() == torch::kDouble) {
        loop(double{});
    } else {
        loop(float{});
    }
}

} // namespace lockstep::engine
