// A net in two halves: what an exercise gives, and what the whole net computes. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/rank_values.h"
#include "laboratory/code/trial.h"

#include <array>
#include <cstddef>
#include <vector>

namespace lockstep::laboratory {

inline constexpr double HalvesRate = 0.5;

struct HalvesBatch {
    Values x; ///< rows × inputs
    Values y; ///< rows × outputs
};

/// Linear, ReLU (rank 0); Linear, ReLU, Linear (rank 1).
struct HalvesCase {
    std::array<std::size_t, 4> widths; ///< inputs, hidden, hidden, outputs
    std::vector<std::size_t> rows; ///< of each batch
    std::vector<HalvesBatch> batches{};
};

/// Nets that live in the same two processes: the second has other sizes and one output, the third the first's.
[[nodiscard]] std::vector<HalvesCase> halvesCases(const Json& check);

struct HalvesNet {
    std::array<std::size_t, 4> widths{};
    std::array<Values, 3> weights; ///< outputs × inputs
    std::array<Values, 3> biases;

    [[nodiscard]] std::size_t rowsOf(const Values& x) const { return x.size() / widths.front(); }
};

struct HalvesForms {
    bool hasFirstRelu = true;
    bool hasSecondRelu = true;

    [[nodiscard]] bool hasRelu(std::size_t layer) const
    {
        return layer == 0 ? hasFirstRelu : layer == 1 && hasSecondRelu;
    }
};

/// Inputs of the layers, and the output of the last.
[[nodiscard]] std::array<Values, 4> forwardOf(const HalvesNet& net, const Values& x, const HalvesForms& forms = {});
/// After one step of gradient descent on the mean of (output − y)².
[[nodiscard]] HalvesNet steppedNet(const HalvesNet& net, const HalvesBatch& batch);

} // namespace lockstep::laboratory
