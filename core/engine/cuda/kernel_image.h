// The kernels of kernels.cu as code for a GPU: built in, if there was nvcc when the program was built, else compiled with
// NVRTC from the source, which is built in too.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace lockstep::cuda {

/// For a GPU of compute capability major.minor; fails where neither the program nor NVRTC has it.
[[nodiscard]] Result<std::vector<std::byte>> kernelImage(int major, int minor);

/// By NVRTC, which is looked for as `libnvrtc.so`; whatever the program has built in.
[[nodiscard]] Result<std::vector<std::byte>> compileKernels(int major, int minor);

/// Whether code is built in.
[[nodiscard]] bool hasBuiltInKernels();
[[nodiscard]] std::string_view kernelSource();

} // namespace lockstep::cuda
