// Files of tensors: on the disk before a function returns, and read with suspicion. Private to core/engine/run.
#pragma once

#include "base/result.h"

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lockstep::engine {

using Tensors = std::map<std::string, torch::Tensor>;

/// What a manifest says of a file.
struct FileSum {
    std::int64_t bytes = 0;
    std::string sha256; ///< in hexadecimal

    bool operator==(const FileSum&) const = default;
};

[[nodiscard]] Result<FileSum> writeFile(const std::string& path, std::string_view bytes);

/// As safetensors: contiguous, on the CPU. No copy of all of them is made.
[[nodiscard]] Result<FileSum> writeTensors(const std::string& path, const Tensors& tensors);
/// As torch.save writes a dictionary, for Python's torch.load(file, weights_only=True).
[[nodiscard]] Result<FileSum> writeTorchFile(const std::string& path, const Tensors& tensors);

[[nodiscard]] Result<FileSum> sumOf(const std::string& path);

struct TensorFile {
    FileSum sum; ///< of the whole file, also where it is not one of tensors
    Result<Tensors> tensors;
};
/// Reads safetensors, once from the begin to the end. An error: the file cannot be read.
[[nodiscard]] Result<TensorFile> readTensorFile(const std::string& path);

} // namespace lockstep::engine
