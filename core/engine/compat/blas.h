// LibTorch's matrix products go through whatever libblas.so.3 is installed, or through the MKL inside it. This sets
// what only these can set, through functions found at run time; with another BLAS it does nothing.
#pragma once

#include <string>
#include <vector>

namespace lockstep::engine {

/// On a processor newer than itself OpenBLAS uses its slowest kernels (SSE3), at a fifth of the speed. This chooses
/// AVX-512 or AVX2 kernels where the processor has them and OpenBLAS did not see it. OPENBLAS_CORETYPE in the
/// environment wins. Call before the first matrix product.
void useKernelsOfThisProcessor();

/// Makes MKL's results independent of the alignment of its arrays; otherwise two ways of training that do the same
/// arithmetic could differ. Costs no measurable time. MKL_CBWR in the environment wins. Call before the first product
/// and before there are threads.
void makeProductsReproducible();

void setBlasThreads(int threads);

/// A variable of the environment that keeps a library below what the processor can do.
struct HeldLibrary {
    std::string variable;
    std::string value;
};
/// Of OpenBLAS, oneDNN, MKL and LibTorch's own kernels. Call after useKernelsOfThisProcessor().
[[nodiscard]] std::vector<HeldLibrary> heldLibraries();

/// "OpenBLAS 0.3.21 ... , SkylakeX kernels", "MKL", or what to do.
[[nodiscard]] std::string blasDescription();

} // namespace lockstep::engine
