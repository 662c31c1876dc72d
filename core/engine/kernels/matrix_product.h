// Products of float32 matrices by oneDNN, where that is faster than LibTorch's BLAS: with AVX-512, from a certain size.
// Which of the two computes depends on the shapes and on oneDNN's instruction set (DNNL_MAX_CPU_ISA in the environment
// lowers it) and on nothing else, so equal products have equal bits.
#pragma once

#include <cstdint>

namespace lockstep::engine {

/// In row-major order, or the transpose of such a matrix.
struct Matrix {
    const float* numbers = nullptr;
    std::int64_t stride = 0; ///< of the rows, or of the columns of a transpose
    bool isTransposed = false;
};

/// [rows, depth] x [depth, columns].
struct ProductShape {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t depth = 0;
};

/// Where not, or where there is no oneDNN, LibTorch computes the product.
[[nodiscard]] bool isForOneDnn(const ProductShape& shape);

/// sum <- kept * sum + left right, with 0: whatever was there. `sum` is in row-major order, without gaps. Uses as many
/// threads as LibTorch. Throws std::runtime_error if oneDNN refuses.
void addMatrixProduct(const ProductShape& shape, const Matrix& left, const Matrix& right, float kept, float* sum);

/// oneDNN compiles its kernels at the first product, in 3 ms: here, so that processes forked later have them. Starts no
/// threads.
void compileMatrixProducts();

/// To follow blasDescription(); empty where oneDNN multiplies nothing.
[[nodiscard]] const char* matrixProductsDescription();

} // namespace lockstep::engine
