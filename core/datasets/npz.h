// Arrays of numpy.savez or savez_compressed with the names of Keras's MNIST: x_train, y_train, x_test, y_test. No
// LibTorch, and no pickle: an array of Python objects is refused.
#pragma once

#include "base/result.h"
#include "datasets/images.h"

#include <string>
#include <vector>

namespace lockstep::datasets {

[[nodiscard]] Result<std::vector<std::string>> npzFiles(const experiment::RunSpec& run);
/// From the headers of the images, and the labels.
[[nodiscard]] Result<experiment::DataFacts> npzFacts(
    const experiment::RunSpec& run, const std::vector<std::string>& files);
[[nodiscard]] Result<ImageSet> readNpz(const experiment::RunSpec& run, const std::vector<std::string>& files);

} // namespace lockstep::datasets
