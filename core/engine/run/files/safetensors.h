// The header of a safetensors file: eight bytes with its length, then JSON that names each tensor, its type, its shape
// and where its bytes lie behind the header. Without LibTorch. Private to core/engine/run.
// Source: the section "Format" of github.com/huggingface/safetensors.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// By safetensors' names of them.
enum class TensorType { F64, F32, F16, BF16, I64, I32, I16, I8, U8 };

[[nodiscard]] std::int64_t bytesOf(TensorType type);

struct StoredTensor {
    std::string name;
    TensorType type = TensorType::F32;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0; ///< the product of its shape, in bytes

    bool operator==(const StoredTensor&) const = default;
};

inline constexpr std::int64_t HeaderLengthBytes = 8;

/// The length that a file begins with, in a file of `fileBytes` bytes.
[[nodiscard]] Result<std::int64_t> headerLength(std::span<const char, HeaderLengthBytes> begin, std::int64_t fileBytes);

/// The tensors in the order of their bytes, which follow the header without a gap and are `dataBytes` together. Trusts
/// nothing: refuses an unknown type, a name that occurs twice, a shape that does not fit its bytes, and bytes that
/// overlap, leave a gap or lie outside of the file.
[[nodiscard]] Result<std::vector<StoredTensor>> parseHeader(std::string_view json, std::int64_t dataBytes);

/// What stands before the bytes of these tensors, length included.
[[nodiscard]] std::string headerOf(std::span<const StoredTensor> tensors);

} // namespace lockstep::engine
