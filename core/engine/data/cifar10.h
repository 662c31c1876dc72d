// The binary version of CIFAR-10 (https://www.cs.toronto.edu/~kriz/cifar.html, "Binary version"): files of records,
// each a label and a colour image. No LibTorch.
#pragma once

#include "engine/data/idx_folder.h"

#include <span>
#include <string>
#include <string_view>

namespace lockstep::engine {

/// The records of these files, one file after another. Every size is checked before memory is taken for it. Errors name
/// the file, what was found and what is needed.
[[nodiscard]] Result<LabelledBytes> readCifar10(const std::string& folder, std::span<const std::string_view> files);

} // namespace lockstep::engine
