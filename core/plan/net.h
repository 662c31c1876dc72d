// What a net consists of and what each part costs, without building it. Used for tests of the engine, cuts, predictions
// and the window.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/slices.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::plan {

/// How the ranks of a tensor-parallel group share a unit (Shoeybi et al., "Megatron-LM", 2019, section 3). Columns and
/// rows follow each other in pairs, so that nothing needs to be exchanged between them.
enum class UnitSplit {
    Columns, ///< by outputs (channels of a convolution): takes the whole input, gives a part of the output
    Rows, ///< by inputs: takes a part of the input, gives a part of the sum that is the output
    Heads, ///< a block: its heads by columns and rows, then its MLP by columns and rows
    Vocabulary, ///< the embedding: gives the sum over the parts
    Scores, ///< the head: by the vocabulary; gives a part of the scores, and the loss is shared likewise
};

/// A cut by layers never divides a unit: a layer with parameters and the layers without any that follow it. Layers
/// before the first one with parameters belong to the first unit.
struct NetUnit {
    std::string name; ///< description of the engine's layer with parameters: "linear 784 -> 128"
    std::int64_t layers = 0; ///< of the engine's list
    std::int64_t parameters = 0; ///< numbers; a tied weight counts where it is first used
    std::int64_t forwardFlops = 0; ///< a sample; a multiply-add counts as 2, biases and activations are left out
    std::vector<std::int64_t> outputShape; ///< of one sample, in the run's dtype
    /// Numbers a sample that this unit makes and training holds until the sample's backward: every result of its layers
    /// that backward reads again, each stored tensor once (a ReLU writes over its input, a flatten is a view), the
    /// positions of a max-pool's maxima, and the unit's output. What it is given is counted by the unit before;
    /// `scaledElements` is what the first is given. The loss holds one more tensor like the net's output.
    std::int64_t keptElements = 0;
    std::int64_t widestElements = 0; ///< of a sample: the largest tensor that a layer makes
    /// Peak number of elements per sample in a forward pass without backward, beside the input.
    std::int64_t passingElements = 0;

    std::int64_t channels = 0; ///< of a convolution's output; 0: the unit has none
    std::int64_t positions = 0; ///< of that output
    std::int64_t window = 0; ///< numbers of the input that its kernel copies for each position; 0 in float32
    /// Elements a sample of a convolution's output and of what its kernel takes besides: the input's windows, or
    /// (oneDNN, float32) a second output whose channels are rounded up to a vector of AVX-512, the longest. 0 without
    /// one.
    [[nodiscard]] std::int64_t workingElements() const;

    UnitSplit split = UnitSplit::Columns;
    std::int64_t pieces = 1; ///< columns, rows, heads or letters: what is split among the parts
    std::int64_t wholeParameters = 0; ///< of `parameters`: what every part has whole
    /// Numbers a sample that the parts add up within this unit, going forward and (the gradient of its input) backward.
    std::int64_t summedForward = 0;
    std::int64_t summedBackward = 0;

    /// Of `outputShape`.
    [[nodiscard]] std::int64_t outputElements() const;
};

/// Of `net.name` in order; never empty for a net of the parameter table.
[[nodiscard]] std::vector<NetUnit> netUnits(const experiment::RunSpec& run);

/// The share of a unit that part `part` of `parts` has: pieces that follow each other.
[[nodiscard]] Slice piecesOf(const NetUnit& unit, int part, int parts);
[[nodiscard]] std::int64_t parametersOf(const NetUnit& unit, int part, int parts);
/// `unit.outputShape` of that part.
[[nodiscard]] std::vector<std::int64_t> outputShapeOf(const NetUnit& unit, int part, int parts);
/// Whether the parts of the unit give parts of its output.
[[nodiscard]] bool isOutputSplit(const NetUnit& unit);
/// Checks that `parts` ranks can share each unit; the error begins with `parameter`.
[[nodiscard]] Result<void> checkSplit(std::span<const NetUnit> units, std::int64_t parts, const std::string& parameter);

/// Shape of the net's input for one sample (an image of the data set: channels, rows, columns; or the bytes of a
/// window), and its number of elements.
[[nodiscard]] std::vector<std::int64_t> sampleShape(const experiment::RunSpec& run);
[[nodiscard]] std::int64_t sampleElements(const experiment::RunSpec& run);
/// Numbers a sample that the net makes of its input before the first layer: an image's bytes, scaled; none of a text.
[[nodiscard]] std::int64_t scaledElements(const experiment::RunSpec& run);

/// Sums over units.
[[nodiscard]] std::int64_t parametersOf(std::span<const NetUnit> units);
[[nodiscard]] std::int64_t forwardFlopsOf(std::span<const NetUnit> units);

/// Number of units of each of `stages` contiguous stages, none of them empty; empty where there are fewer units than
/// stages or no stage at all. Makes the most expensive stage as cheap as possible: least FLOPs, then, among equal cuts,
/// least parameters in the stage with the most FLOPs.
[[nodiscard]] std::vector<std::int64_t> balancedCut(std::span<const NetUnit> units, std::int64_t stages);

/// The same with numbers of units as equal as possible.
[[nodiscard]] std::vector<std::int64_t> evenCut(std::span<const NetUnit> units, std::int64_t stages);

/// The engine's layers of each stage of a cut: what makeNet() takes.
[[nodiscard]] std::vector<Slice> layersOfStages(
    std::span<const NetUnit> units, std::span<const std::int64_t> unitsPerStage);

} // namespace lockstep::plan
