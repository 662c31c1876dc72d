// The ranks of a run as a grid of data-parallel copies x pipeline stages x tensor-parallel parts, and each rank's
// place. Ranks that share layers exchange most and are neighbours; stages exchange least and are furthest apart
// (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021, section
// 3).
#pragma once

#include "experiment/spec.h"

#include <vector>

namespace lockstep::plan {

struct GridShape {
    int data = 1;
    int pipeline = 1;
    int tensor = 1;

    [[nodiscard]] int ranks() const { return data * pipeline * tensor; }
};

struct GridPlace {
    int data = 0; ///< which copy of the net
    int stage = 0; ///< of the pipeline
    int part = 0; ///< of each layer
};

/// Whether the run's strategy leaves no rank with all of the net, its gradient and its optimizer's state.
[[nodiscard]] bool dividesModel(const experiment::RunSpec& run);

/// Of the strategies pipeline, tensor and grid; of all others data parallelism over the run's ranks.
[[nodiscard]] GridShape gridShape(const experiment::RunSpec& run);

/// Whether the copies of a grid each keep only their part of the optimizer's state (ZeRO-1).
[[nodiscard]] bool copiesShareState(const experiment::RunSpec& run);

[[nodiscard]] GridPlace placeOf(int rank, const GridShape& shape);
[[nodiscard]] int rankAt(const GridPlace& place, const GridShape& shape);

/// The ranks that differ from this one only in the copy, the stage or the part, in that order: its group for summing
/// gradients, passing activations, or sharing layers.
[[nodiscard]] std::vector<int> copiesOf(int rank, const GridShape& shape);
[[nodiscard]] std::vector<int> stagesOf(int rank, const GridShape& shape);
[[nodiscard]] std::vector<int> partsOf(int rank, const GridShape& shape);

} // namespace lockstep::plan
