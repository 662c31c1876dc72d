// The bytes of a file that torch.save wrote. Private to core/engine/run.
#pragma once

#include "base/result.h"

#include <torch/types.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace lockstep::engine {

using Tensors = std::map<std::string, torch::Tensor>;

/// As torch.save writes a dictionary of them: contiguous, on the CPU, in their order.
[[nodiscard]] std::vector<char> tensorArchive(const Tensors& tensors);

/// The tensors of a plain dictionary that torch.save or torch::pickle_save wrote, contiguous; of a module that is
/// dict(module.state_dict()), since a state_dict has attributes of its own. Trusts no number in the file: fails where a
/// tensor lies outside of its record, or all of them together take more than four times the archive.
[[nodiscard]] Result<Tensors> tensorsOfArchive(std::span<const char> archive);

} // namespace lockstep::engine
