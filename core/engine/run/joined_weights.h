// The weights of all ranks of a checkpoint as one file.
#pragma once

#include "base/result.h"

#include <string>

namespace lockstep::engine {

/// Writes a file that Python reads with torch.load(file, weights_only=True): a dictionary of names ("0.weight") and
/// tensors. Weights of ranks that train locally are averaged, parts of a net or of its tensors put together. Trusts no
/// number of the checkpoint's files.
[[nodiscard]] Result<void> joinWeights(const std::string& checkpoint, const std::string& file);

} // namespace lockstep::engine
