// The weights of all ranks of a checkpoint as one file.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace lockstep::engine {

enum class WeightsFormat { Torch, Safetensors };
/// `torch` or `safetensors`.
[[nodiscard]] Result<WeightsFormat> weightsFormatOf(std::string_view name);

/// Writes a dictionary of names ("0.weight") and tensors, for Python's torch.load(file, weights_only=True) or
/// safetensors.torch.load_file(file). Weights of ranks that train locally are averaged, parts of a net or of its
/// tensors put together. Trusts no number of the checkpoint's files.
[[nodiscard]] Result<void> joinWeights(const std::string& checkpoint, const std::string& file, WeightsFormat format);

} // namespace lockstep::engine
