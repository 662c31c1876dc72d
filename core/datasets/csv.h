// Images as text: a line `label,pixel0,pixel1,...` for each, after a line of names or none, plain or .gz (Kaggle's
// digit recogniser, MNIST, Fashion-MNIST and EMNIST in CSV). No LibTorch.
#pragma once

#include "base/result.h"
#include "datasets/images.h"

#include <string>
#include <vector>

namespace lockstep::datasets {

/// The labelled file, and the file of labelled test images beside it if there is one: the same name with `test` for
/// `train`. A file without labels is not used.
[[nodiscard]] Result<std::vector<std::string>> csvFiles(const experiment::RunSpec& run);
/// Without a test file, the last sixth of the samples is the test set.
[[nodiscard]] Result<experiment::DataFacts> csvFacts(
    const experiment::RunSpec& run, const std::vector<std::string>& files);
[[nodiscard]] Result<ImageSet> readCsv(const experiment::RunSpec& run, const std::vector<std::string>& files);

} // namespace lockstep::datasets
