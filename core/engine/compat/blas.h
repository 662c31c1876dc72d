// LibTorch's matrix products go through whatever libblas.so.3 is installed, or through the MKL inside it. What can only
// be said to these themselves is said here, found at run time; with another BLAS it does nothing.
#pragma once

#include <string>

namespace lockstep::engine {

/// OpenBLAS takes its slowest kernels (SSE3) on a processor that is newer than itself: a fifth of the speed. This
/// chooses AVX-512 or AVX2 kernels where the processor has them and OpenBLAS did not see it. OPENBLAS_CORETYPE in the
/// environment wins. Call before the first matrix product.
void useKernelsOfThisProcessor();

/// MKL's results depend on where in memory its arrays lie, unless it is told otherwise before its first product; then
/// two ways of training that do the same arithmetic would end a bit apart. Costs no time that can be measured. MKL_CBWR
/// in the environment wins. Before there are threads.
void makeProductsReproducible();

void setBlasThreads(int threads);

/// "OpenBLAS 0.3.21 ... , SkylakeX kernels", "MKL", or what to do.
[[nodiscard]] std::string blasDescription();

} // namespace lockstep::engine
