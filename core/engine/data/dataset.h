// Labelled images in memory, ready for the net: loaded once, normalised once.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <torch/types.h>

#include <string>

namespace lockstep::engine {

/// images: [n, channels, height, width] of the run's dtype, normalised, contiguous; labels: [n] int64.
struct LabelledImages {
    torch::Tensor images;
    torch::Tensor labels;

    [[nodiscard]] std::int64_t size() const { return labels.defined() ? labels.size(0) : 0; }
};

struct Dataset {
    LabelledImages train;
    LabelledImages test;
    std::int64_t classes = 10;
    std::string description; ///< "MNIST, 8,000 + 2,000 images of 28 x 28"
};

/// Loads what `dataset.*` says, in the run's dtype, onto the CPU. Errors begin with the parameter's name and name the
/// file, what was found and what is needed. Deterministic: `digits` depends on `dataset.seed` and sizes only.
[[nodiscard]] Result<Dataset> loadDataset(const experiment::RunSpec& run);

} // namespace lockstep::engine
