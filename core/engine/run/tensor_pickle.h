// The pickle in a file that torch.save wrote, read without running it: which tensors a dictionary has, and where their
// numbers lie. Without LibTorch, whose own reader trusts the file. Private to core/engine/run.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lockstep::engine {

/// A tensor as the file describes it. Nothing of it has been compared with the record.
struct PickledTensor {
    std::string storage; ///< its type: "FloatStorage"
    std::string record; ///< of the archive, below data/
    std::int64_t elements = 0; ///< that the record should have
    std::int64_t offset = 0; ///< of the first element, in elements
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides; ///< as many, in elements
};

/// Source: Python's pickletools.py, protocol 2, of which only the instructions that build a dictionary from strings to
/// tensors are known; torch/_utils.py, _rebuild_tensor_v2. Fails on everything else; takes memory in proportion to the
/// program.
[[nodiscard]] Result<std::map<std::string, PickledTensor>> readTensorPickle(std::span<const char> program);

} // namespace lockstep::engine
