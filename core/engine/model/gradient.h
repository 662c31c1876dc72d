// The loss of a net and its gradient, for one batch and for a whole training set.
#pragma once

#include "base/phase.h"
#include "engine/data/batches.h"
#include "engine/data/dataset.h"
#include "engine/gpu/step_clock.h"
#include "engine/model/net.h"

#include <cstdint>
#include <functional>

namespace lockstep::engine {

/// Samples per chunk of a whole-batch gradient: its memory depends on this, not on the data set. Larger chunks are
/// hardly faster, and 1,024 samples of the convolutional net would take 600 MB.
inline constexpr std::int64_t ChunkSamples = 256;

/// Backward from `scale` times the loss.
void backward(const torch::Tensor& loss, double scale);

/// Mean cross entropy over the labels; adds `scale` times its gradient to the parameters' gradients. Books the clock's
/// Forward and Backward.
[[nodiscard]] torch::Tensor addGradient(Net& net, const Batch& batch, StepClock& clock, double scale = 1.0);

/// The same for every sample of `data`, in chunks of at most `chunk`, each weighted by its share of the samples, so
/// that the result is that of one pass. Gives the mean loss as a scalar tensor. `beforeLast` is called before the last
/// chunk's backward.
[[nodiscard]] torch::Tensor addGradientInChunks(Net& net, const LabelledInputs& data, std::int64_t chunk,
    StepClock& clock, double scale = 1.0, const std::function<void()>& beforeLast = {});

} // namespace lockstep::engine
