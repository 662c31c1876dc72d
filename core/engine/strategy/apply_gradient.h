// The last part of a step, the same for every strategy: divide the gradient by the loss scale, skip the step if it
// overflowed, clip by the norm over the whole net, run the optimizer.
#pragma once

#include "base/result.h"
#include "engine/strategy/job.h"

#include <torch/types.h>

#include <span>

namespace lockstep::engine {

/// How ranks that hold parts of one gradient agree on it. The defaults are for a rank that holds all of it.
class GradientPeers {
public:
    GradientPeers() = default;
    virtual ~GradientPeers() = default;
    GradientPeers(const GradientPeers&) = delete;
    GradientPeers& operator=(const GradientPeers&) = delete;

    /// Call before the host reads the gradient: waits for operations in progress; fails if a rank has died.
    [[nodiscard]] virtual Result<void> synchronize() { return {}; }
    /// Sum of squares of the elements that this rank counts.
    [[nodiscard]] virtual double ownSquares(std::span<const torch::Tensor> gradients) const;
    /// Sums over the ranks that hold parts.
    [[nodiscard]] virtual Result<void> allReduceParts([[maybe_unused]] std::span<double> numbers) { return {}; }
};

/// Whether applyGradient() writes to the gradients.
[[nodiscard]] bool writesGradients(const Job& job, double clip);
/// `gradients` itself, or a copy in the job's own buffer where it is memory that other ranks read.
[[nodiscard]] torch::Tensor ownGradients(Job& job, const torch::Tensor& gradients);

/// `gradients`: of the weights that the job's optimizer updates. `clip`: `optimizer.clip`, 0 for none.
[[nodiscard]] Result<void> applyGradient(
    Job& job, std::span<torch::Tensor> gradients, double clip, double learningRate, GradientPeers& peers);

} // namespace lockstep::engine
