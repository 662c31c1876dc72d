// The binary versions of CIFAR-10 and CIFAR-100 (https://www.cs.toronto.edu/~kriz/cifar.html, "Binary version"): files
// of records, each one or two labels and a colour image. No LibTorch.
#pragma once

#include "base/result.h"
#include "datasets/images.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::datasets {

inline constexpr std::string_view Cifar10Archive = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz";
inline constexpr std::string_view Cifar100Archive = "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz";

/// Training files, then the test file. Checks that they exist and hold whole records; errors say where to get them.
[[nodiscard]] Result<std::vector<std::string>> cifarFiles(const experiment::RunSpec& run);
[[nodiscard]] Result<experiment::DataFacts> cifarFacts(
    const experiment::RunSpec& run, const std::vector<std::string>& files);
[[nodiscard]] Result<ImageSet> readCifar(const experiment::RunSpec& run, const std::vector<std::string>& files);

} // namespace lockstep::datasets
