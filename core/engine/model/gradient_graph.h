// The forward and the backward pass of one fixed batch shape as two CUDA graphs: a small net's step is a few dozen
// kernels of some microseconds each, and launching them one by one takes longer than running them. Two graphs instead
// of one, so that the device can report when forward ends.
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

    /// Queue the pass over the batch's tensors; backward overwrites the gradients.
    virtual void forward() = 0;
    virtual void backward() = 0;
    /// Of the last forward(); valid until the next.
    [[nodiscard]] virtual const torch::Tensor& loss() const = 0;
    /// Backward starts from this gradient of `scale` times the loss.
    virtual void setScale(double scale) = 0;
};

/// Records both passes on the current stream, which must not be the default one; both have run there before, so
/// libraries are initialised. Tensors must not move. If CUDA cannot record, that is an error, after which training
/// continues without a graph; the caller then clears the gradients.
[[nodiscard]] Result<std::unique_ptr<GradientGraph>> recordGradient(
    Net& net, FlatParameters& parameters, const Batch& batch);

} // namespace lockstep::engine
