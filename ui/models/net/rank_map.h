// What a map of ranks shows: the number of copies of a net, stages and parts of each layer; each rank's place, and the
// ranks it works with. Plain values from a run's settings, even if these cannot run. No widgets.
#pragma once

#include "experiment/spec.h"
#include "plan/grid.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace lockstep::ui {

struct RankMap {
    plan::GridShape shape;
    bool isDivided = false; ///< the ranks share one net by layers, within layers, or as a grid
    bool isGrid = false; ///< the shape is made of grid.data, grid.pipeline and grid.tensor
    bool isRing = false; ///< an interleaved pipeline: its last stage passes activations to the first one
    bool hasZero = false; ///< each copy of a rank's part keeps a share of its optimizer state

    /// No run has more ranks than a map can show.
    [[nodiscard]] bool canBeDrawn() const { return shape.ranks() <= 64; }

    bool operator==(const RankMap& other) const;
};

/// The three groups of a rank, without itself.
struct RankGroups {
    std::vector<int> copies; ///< with which it adds up gradients
    std::vector<int> stages; ///< with which it forms a pipeline, in its order
    std::vector<int> parts; ///< with which it shares its layers
    int before = -1; ///< where its activations come from; -1: from the data
    int after = -1; ///< where they go to; -1: to the loss
};

[[nodiscard]] RankMap rankMap(const experiment::RunSpec& run);

[[nodiscard]] RankGroups groupsOf(int rank, const RankMap& map);
/// "Rank 5: copy 0, stage 1, part 1.", then a sentence on each group in which it is not alone.
[[nodiscard]] QStringList rankInWords(int rank, const RankMap& map);
/// "8 ranks".
[[nodiscard]] QString rankCountText(int ranks);

} // namespace lockstep::ui
