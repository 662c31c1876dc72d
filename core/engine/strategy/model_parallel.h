// A way to train in which no rank has all of the net, its gradient and its optimizer's state: what the training loop
// asks of it.
#pragma once

#include "base/result.h"
#include "base/traffic.h"
#include "engine/data/dataset.h"
#include "engine/data/batches.h"
#include "engine/model/evaluation.h"
#include "engine/gpu/step_clock.h"

#include <torch/types.h>

#include <cstdint>
#include <string>

namespace lockstep::engine {

class ModelParallel {
public:
    ModelParallel() = default;
    virtual ~ModelParallel() = default;
    ModelParallel(const ModelParallel&) = delete;
    ModelParallel& operator=(const ModelParallel&) = delete;

    /// Which of the parts that each batch is dealt into this rank works on; ranks that share a net share a part.
    [[nodiscard]] virtual int dataRank() const { return 0; }
    /// Whether this rank tells the loss of its part: one of those that share it does.
    [[nodiscard]] virtual bool hasLoss() const = 0;

    /// Forward and backward of `batch`, this rank's part of `wholeBatch` samples: this rank's gradient of the whole
    /// batch's mean loss, in place of the last step's. Gives the mean loss of the part where it is known, else 0. Books
    /// the clock's phases, with micro-batches where there are such.
    [[nodiscard]] virtual Result<torch::Tensor> gradient(const Batch& batch, std::int64_t wholeBatch, StepClock& clock) = 0;
    /// What follows: what the ranks owe each other of the gradient, clipping (`optimizer.clip`), the optimizer.
    [[nodiscard]] virtual Result<void> update(double learningRate, StepClock& clock) = 0;
    /// Over the whole net and set, and the same on every rank.
    [[nodiscard]] virtual Result<TestScore> evaluate(const LabelledImages& test) = 0;

    /// The weights and the optimizer's state of this rank are those of a checkpoint from now on. Every rank calls it.
    [[nodiscard]] virtual Result<void> afterRestore() { return {}; }
    /// All weights laid out as layoutOf() says, where a rank has not got them by itself and for as long as they fit into
    /// its memory; undefined where what the rank has is all that there is to tell. Every rank calls it.
    [[nodiscard]] virtual Result<torch::Tensor> wholeWeights() { return torch::Tensor(); }

    /// After the last step of a run that has not failed, at the same step on every rank.
    [[nodiscard]] virtual Result<void> finish() { return {}; }

    /// Whether links can be emulated on all that the ranks send each other.
    [[nodiscard]] virtual bool takesLinks() const { return true; }
    /// After every change of the group's bottleneck.
    virtual void applyLinks() = 0;
    /// Since the last call, between two steps.
    [[nodiscard]] virtual Traffic takeBytesSent() = 0;
    /// Time since the last call in which something was under way between the ranks while this one computed.
    [[nodiscard]] virtual std::int64_t takeHiddenNs() { return 0; }
    /// "pipeline of 2 stages, 1f1b, 4 micro-batches, over shm".
    [[nodiscard]] virtual std::string description() const = 0;
};

} // namespace lockstep::engine
