// The forward and the backward pass of one fixed batch shape as two graphs (pass_recorder.h): two instead of one, so
// that the device can report when forward ends.
#pragma once

#include "base/result.h"
#include "engine/data/batches.h"
#include "engine/model/flat_parameters.h"
#include "engine/model/net.h"
#include "engine/model/pass_recorder.h"

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

/// The number that recorded backward passes start from.
class RecordedScale {
public:
    explicit RecordedScale(const torch::TensorOptions& options);
    [[nodiscard]] const torch::Tensor& tensor() const { return m_scale; }
    void set(double scale);

private:
    torch::Tensor m_scale;
    double m_now = 1.0;
};

class GradientGraph {
public:
    /// Both passes have run on the current stream before. The batch's tensors and the gradients must not move.
    [[nodiscard]] static Result<std::unique_ptr<GradientGraph>> record(
        PassRecorder& recorder, Net& net, FlatParameters& parameters, const Batch& batch);

    /// Queue the pass over the batch's tensors; backward overwrites the gradients.
    void forward() { m_forward->replay(); }
    void backward() { m_backward->replay(); }
    /// Of the last forward(); valid until the next.
    [[nodiscard]] const torch::Tensor& loss() const { return m_loss; }
    /// Backward starts from this gradient of `scale` times the loss.
    void setScale(double scale) { m_scale.set(scale); }

private:
    GradientGraph(const Batch& batch, const torch::TensorOptions& options)
        : m_batch(batch)
        , m_scale(options)
    { }

    Batch m_batch; ///< keeps the memory that the graphs read
    RecordedScale m_scale;
    torch::Tensor m_loss;
    std::unique_ptr<PassGraph> m_forward;
    std::unique_ptr<PassGraph> m_backward;
};

} // namespace lockstep::engine
