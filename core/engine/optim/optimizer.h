// Gradient descent and its relatives, implemented on LibTorch tensors.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/steps.h"

#include <torch/types.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Updates weights in place from gradients. Every weight may also be one flat buffer that the net's parameters are
/// views of: all rules here are element-wise, so the result is the same and the step is one pass.
class Optimizer {
public:
    virtual ~Optimizer() = default;
    /// `gradients[i]` belongs to weight i, same shape and dtype. `learningRate` already carries the schedule.
    virtual void step(std::span<const torch::Tensor> gradients, double learningRate) = 0;
    /// Whether a step needs the gradient of the whole training set (gradient descent proper).
    [[nodiscard]] virtual bool wantsWholeBatch() const { return false; }
    /// State tensors (moments), for checkpoints and memory accounts: the optimizer's own, or copies where it keeps
    /// them elsewhere.
    [[nodiscard]] virtual std::vector<torch::Tensor> state() const { return {}; }
    /// Whether state() gives copies.
    [[nodiscard]] virtual bool keepsStateElsewhere() const { return false; }
    /// After the tensors that state() gave have been changed.
    virtual void setState([[maybe_unused]] const std::vector<torch::Tensor>& state) { }
    /// For rules that count their steps (Adam's bias correction).
    [[nodiscard]] virtual std::int64_t stepsTaken() const { return 0; }
    virtual void setStepsTaken(std::int64_t) { }
};

/// By `optimizer.name` and its parameters; holds references to the weights.
[[nodiscard]] Result<std::unique_ptr<Optimizer>> makeOptimizer(
    const experiment::RunSpec& run, std::vector<torch::Tensor> weights);

/// Names that makeOptimizer knows.
[[nodiscard]] std::vector<std::string_view> optimizerNames();

/// `optimizer.lr` times the schedule's factor at this step (1, 2, ...).
[[nodiscard]] double learningRateAt(const experiment::RunSpec& run, std::int64_t step, const plan::StepPlan& steps);

/// Scales the gradients so that their joint 2-norm is at most `limit` (as torch's clip_grad_norm_, Pascanu et al.
/// 2013); returns the norm before.
double clipGradients(std::span<torch::Tensor> gradients, double limit);
/// The two halves of that, for a gradient whose parts are on several ranks.
[[nodiscard]] double normOf(std::span<const torch::Tensor> gradients);
void clipByNorm(std::span<torch::Tensor> gradients, double norm, double limit);

} // namespace lockstep::engine
