// The kernels of kernels.cu as code for a GPU: built in, if there was nvcc when the program was built, else compiled
// with NVRTC from the source, which is built in too.
#pragma once

#include "base/result.h"
#include "engine/comm/types.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lockstep::cuda {

/// All kernels, for every GPU from compute capability 7.5 on; empty if it was built without nvcc.
[[nodiscard]] std::span<const std::byte> builtInKernels();

/// The kernels of one type, by NVRTC, for a GPU of compute capability major.minor. Takes about a second.
[[nodiscard]] Result<std::vector<std::byte>> compileKernels(int major, int minor, comm::DataType type);

} // namespace lockstep::cuda
