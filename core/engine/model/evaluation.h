// Accuracy and loss on a set of samples: the test set, or a part of the training set.
#pragma once

#include "engine/data/dataset.h"
#include "engine/model/net.h"

#include <array>
#include <cstdint>

namespace lockstep::engine {

struct TestScore {
    double accuracy = 0.0; ///< 0 .. 1: the share of the labels that get the highest score
    double loss = 0.0; ///< mean over the labels: one a sample, or one a byte
};

/// A score from the net's outputs, piece by piece.
class TestSums {
public:
    void add(const torch::Tensor& scores, const torch::Tensor& labels);
    [[nodiscard]] TestScore score() const;
    /// Correct labels, the sum of losses, and labels: ranks that share a set add theirs up.
    [[nodiscard]] std::array<double, 3> numbers() const;
    [[nodiscard]] static TestScore scoreOf(const std::array<double, 3>& numbers);

private:
    torch::Tensor m_correct; ///< on the outputs' device until the end: one transfer instead of one a piece
    torch::Tensor m_loss;
    std::int64_t m_labels = 0;
};

/// Net::evaluatedAtOnce() samples at a time, on a GPU 16 times as many; without autograd.
[[nodiscard]] TestSums evaluate(Net& net, const LabelledInputs& data);

} // namespace lockstep::engine
