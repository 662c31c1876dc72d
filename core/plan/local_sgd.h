// Local SGD: each rank trains its own copy of the net, and every k steps the ranks synchronize (Stich, "Local SGD
// converges fast and communicates little", 2019). That may be a step of an outer optimizer (Douillard et al., "DiLoCo:
// distributed low-communication training of language models", 2023).
#pragma once

#include "experiment/spec.h"
#include "plan/steps.h"

#include <cstdint>

namespace lockstep::plan {

/// Steps from one synchronization to the next: `local.every` or `aggregation.every`; where that is 0, an epoch.
[[nodiscard]] std::int64_t stepsBetweenSynchronizations(const experiment::RunSpec& run, const StepPlan& plan);

/// Steps after which a run's work repeats, so that times of as many whole periods can be compared: those between two
/// synchronizations of ranks that train locally, else 1. `stepsPerEpoch`: 0 if unknown.
[[nodiscard]] std::int64_t periodOf(const experiment::RunSpec& run, std::int64_t stepsPerEpoch);

/// How the ranks synchronize their weights: with the mean difference d = old - mean of new, the velocity v = momentum v
/// + d and the new weights old - learningRate (d + momentum v), Nesterov's form in PyTorch's SGD.
struct OuterStep {
    bool sendsDifferences = false; ///< else the ranks send weights
    double learningRate = 1.0;
    double momentum = 0.0;

    /// Whether the new weights are the ranks' mean, so that the old ones are not needed.
    [[nodiscard]] bool isMean() const { return !sendsDifferences && learningRate == 1.0 && momentum == 0.0; }
    /// Arrays as large as the weights that each rank keeps for it.
    [[nodiscard]] int arrays() const { return (isMean() ? 0 : 1) + (momentum > 0.0 ? 1 : 0); }
};

/// `local.*`; the plain mean for `aggregation.what=weights`.
[[nodiscard]] OuterStep outerStep(const experiment::RunSpec& run);

} // namespace lockstep::plan
