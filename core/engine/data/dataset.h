// Labelled images, or windows of a text, in memory: loaded once. Images stay bytes; the net scales each batch.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <torch/types.h>

#include <memory>
#include <string>

namespace lockstep::engine {

/// inputs: [n, channels, height, width] bytes, contiguous; labels: [n] int64. Of a text,
/// inputs: [n, context] int64, the bytes of each window, contiguous; labels: [n, context] int64, each byte's next one.
struct LabelledInputs {
    torch::Tensor inputs;
    torch::Tensor labels;

    [[nodiscard]] std::int64_t size() const { return labels.defined() ? labels.size(0) : 0; }
    /// Whether a sample has one label, and not one at each of its positions.
    [[nodiscard]] bool hasOneLabelEach() const { return labels.defined() && labels.dim() == 1; }
};

struct Dataset {
    LabelledInputs train;
    LabelledInputs test;
    std::int64_t classes = 10;
    Text description; ///< "MNIST, 8,000 + 2,000 images of 28 x 28"
    std::shared_ptr<void> booked{}; ///< memory of a set that was kept (kept_datasets.h) on this thread's account
};

/// Loads what `dataset.*` says onto the CPU, or gives what was kept of it (kept_datasets.h).
/// Errors begin with the parameter's name and name the file, what was found and what is needed. Deterministic: `digits`
/// depends on `dataset.seed` and sizes only.
[[nodiscard]] Result<Dataset> loadDataset(const experiment::RunSpec& run);

} // namespace lockstep::engine
