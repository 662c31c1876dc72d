// What a picture of a net shows: its units, what each costs, and which rank has which part. Plain values from a run's
// settings, even if these cannot run: then `problem` says why. No widgets.
#pragma once

#include "experiment/spec.h"

#include <QString>

#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep::ui {

/// A unit, which a cut never divides: plan::NetUnit.
struct NetLayer {
    QString name; ///< in the window's language: "linear 784 → 128"
    std::int64_t parameters = 0;
    std::int64_t flops = 0; ///< of the forward pass of one sample
    std::vector<std::int64_t> outputShape; ///< of one sample, as the rank with the largest part of it has it
    std::int64_t outputBytes = 0; ///< of that, for NetPicture::samples
};

/// Layers that follow each other on one stage.
struct NetPart {
    int stage = 0; ///< the rank, where each stage is one
    int chunk = 0; ///< of that stage: 0 but in an interleaved pipeline
    int first = 0; ///< of NetPicture::layers
    int count = 0;
    std::int64_t parameters = 0;
    std::int64_t flops = 0;
    double share = 0.0; ///< of the whole net's FLOPs, 0 .. 1
    std::int64_t sentBytes = 0; ///< by a rank to the next part, for each micro-batch; 0: nothing comes after it

    bool operator==(const NetPart&) const = default;
};

struct NetPicture {
    std::vector<NetLayer> layers; ///< in the order in which a sample goes through them
    std::vector<NetPart> parts; ///< empty: the net is not cut by layers, or cannot be cut as in the settings
    int stages = 1; ///< that have the parts
    int ranksOfStage = 1; ///< more in a grid: copies of the net, and ranks that share layers
    int sharing = 1; ///< ranks that share each layer: numbers and FLOPs are of them all, outputs of one
    int chunks = 1; ///< parts of each stage
    std::int64_t samples = 1; ///< that bytes are counted for: those of a full micro-batch, or one
    bool isPipeline = false;
    bool isByHand = false; ///< `pipeline.cut` has it
    std::int64_t parameters = 0;
    std::int64_t flops = 0;
    /// Share of the ranks' time that is idle if passes take as long as their FLOPs (a backward pass twice its forward)
    /// and messages take no time: plan::simulate. And if, besides, all parts took equally long: plan::idealBubble.
    double bubble = std::numeric_limits<double>::quiet_NaN();
    double idealBubble = std::numeric_limits<double>::quiet_NaN();
    /// Why the net cannot be divided so, in the form's words; then there are no parts. Or why it is not known; then
    /// there are no layers.
    QString problem;
};

[[nodiscard]] NetPicture netPicture(const experiment::RunSpec& run);

/// `pipeline.cut` with the cut between part `cut` and the next one moved to before layer `layer`, or as near to it as
/// leaves each of the two parts a layer: "1,3". The picture has parts, and `cut` is 0 .. parts - 2.
[[nodiscard]] QString movedCut(const NetPicture& picture, int cut, int layer);

} // namespace lockstep::ui
