// Activations of a forward and a backward pass, and which of them are recomputed (`train.recompute`).
//
// `layer`: the net is cut into segments. Forward keeps each segment's input; backward reruns a segment's forward before
// its backward (Chen et al., "Training deep nets with sublinear memory cost", 2016, section 4). The peak is the inputs
// of the segments so far and one segment's activations. `stage`: a pipeline's stage keeps its input of each micro-batch
// under way, and one micro-batch's activations during its backward (Huang et al., "GPipe", 2019, section 2.3). Either
// costs one more forward of the recomputed part.
#pragma once

#include "experiment/spec.h"
#include "plan/net.h"
#include "plan/slices.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::plan {

/// Some of the net's units that a rank processes at once: elements per sample.
struct Part {
    std::int64_t held = 0; ///< kept between forward and backward, with the input from another rank
    /// Backward's peak beyond that: in a layer there are the gradients of its output and its input, and the memory kept
    /// by later units is free again. With what came from another rank.
    std::int64_t backward = 0;
    std::int64_t evaluated = 0; ///< without backward: a layer's input and output
    std::int64_t underWay = 0; ///< if ranks share no memory: sends in progress and early receives
};

/// `isFirst`: the input is made of the data set's (scaledElements()); `isLast`: the loss follows.
[[nodiscard]] Part partOf(std::span<const NetUnit> units, std::int64_t inputElements, bool isFirst, bool isLast);
/// The same if only the input is kept, and backward begins with another forward.
[[nodiscard]] Part recomputedPart(
    std::span<const NetUnit> units, std::int64_t inputElements, bool isFirst, bool isLast);

/// The segments of `train.recompute=layer` as slices of netUnits(): those that need the least memory, and of these the
/// fewest. Under ZeRO-2 and -3 each unit is one, because its weights are gathered, and its gradients summed, unit by
/// unit. All in one without `layer`.
[[nodiscard]] std::vector<Slice> segmentsOf(const experiment::RunSpec& run);
/// Peak elements per sample of a net on one rank that is recomputed in these segments.
[[nodiscard]] std::int64_t activationsOf(
    std::span<const NetUnit> units, std::int64_t inputElements, std::span<const Slice> segments);

/// By unit, whether backward reruns its forward: not the last segment, whose backward follows its forward, nor a
/// segment of one unit that keeps only its output, which is the next one's input.
[[nodiscard]] std::vector<bool> recomputedUnits(const experiment::RunSpec& run);

/// A segment of the engine's layers.
struct LayerSegment {
    Slice layers;
    bool isRecomputed = false;
};
[[nodiscard]] std::vector<LayerSegment> layerSegmentsOf(const experiment::RunSpec& run);

/// Which part of forward's FLOPs a step computes twice: from 0 to 1.
[[nodiscard]] double recomputedShare(const experiment::RunSpec& run);

} // namespace lockstep::plan
