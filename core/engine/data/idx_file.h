// One file in MNIST's IDX format (http://yann.lecun.com/exdb/mnist, "THE IDX FILE FORMAT"), plain or gzip. No LibTorch.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::engine {

/// Unsigned bytes of 1 (labels) or 3 (images: count, rows, columns) dimensions.
struct IdxFile {
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> bytes;
};

/// Reads `<stem>` or `<stem>.gz` from the folder. `dimensions` is 1 or 3. Every size is checked before memory is taken
/// for it. Errors name the file, what was found and what is needed.
[[nodiscard]] Result<IdxFile> readIdxFile(const std::string& folder, const std::string& stem, int dimensions);

} // namespace lockstep::engine
