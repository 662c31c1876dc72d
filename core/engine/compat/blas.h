// LibTorch's matrix products go through whatever libblas.so.3 is installed. What can only be said to OpenBLAS itself is
// said here, found at run time; with another BLAS these do nothing.
#pragma once

#include <string>

namespace lockstep::engine {

/// OpenBLAS takes its slowest kernels (SSE3) on a processor that is newer than itself: a fifth of the speed. This
/// chooses AVX-512 or AVX2 kernels where the processor has them and OpenBLAS did not see it. OPENBLAS_CORETYPE in the
/// environment wins. Call before the first matrix product.
void useKernelsOfThisProcessor();

void setBlasThreads(int threads);

/// "OpenBLAS 0.3.21 ... , SkylakeX kernels", "MKL", or what to do.
[[nodiscard]] std::string blasDescription();

} // namespace lockstep::engine
