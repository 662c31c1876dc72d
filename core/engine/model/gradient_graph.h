// The forward and the backward pass of one fixed batch shape as two CUDA graphs: a small net's step is a few dozen
// kernels of some microseconds each, and to launch them one by one takes longer than to run them. Two graphs and not
// one, so that the device can say when forward ends.
#pragma once

#include "base/result.h"
#include "engine/data/batches.h"
#include "engine/model/flat_parameters.h"
#include "engine/model/net.h"

#include <memory>

namespace lockstep::engine {

class GradientGraph {
public:
    GradientGraph() = default;
    virtual ~GradientGraph() = default;
    GradientGraph(const GradientGraph&) = delete;
    GradientGraph& operator=(const GradientGraph&) = delete;

    /// Queue the pass over what is then in the batch's tensors; backward overwrites the gradients.
    virtual void forward() = 0;
    virtual void backward() = 0;
    /// Of the last forward(); good until the next.
    [[nodiscard]] virtual const torch::Tensor& loss() const = 0;
    /// What backward starts from: the gradient of `scale` times the loss.
    virtual void setScale(double scale) = 0;
};

/// Records both passes on the current stream, which must not be the default one; they have run there before, so that
/// all that libraries prepare is prepared. All tensors must stay where they are. What CUDA refuses to record is an
/// error, after which training continues without a graph; the caller then clears the gradients.
[[nodiscard]] Result<std::unique_ptr<GradientGraph>> recordGradient(
    Net& net, FlatParameters& parameters, const Batch& batch);

} // namespace lockstep::engine
