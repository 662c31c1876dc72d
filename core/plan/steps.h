// How many steps a run takes and what each one covers. The engine executes it, analysis predicts from it, the window
// draws progress from it.
#pragma once

#include "experiment/spec.h"

#include <cstdint>

namespace lockstep::plan {

struct StepPlan {
    std::int64_t batch = 0; ///< samples of a full step over all ranks; the whole set for gradient descent
    std::int64_t stepsPerEpoch = 0; ///< the last, smaller batch of an epoch is kept
    std::int64_t totalSteps = 0; ///< by train.steps, else by train.epochs
};

/// `trainSamples` above 0.
[[nodiscard]] StepPlan stepPlan(const experiment::RunSpec& run, std::int64_t trainSamples);

/// The first samples of the training set whose mean loss every evaluation measures beside the test set: at most 10,000,
/// as many as the test sets of MNIST and CIFAR-10 have.
[[nodiscard]] std::int64_t evaluatedTrainSamples(std::int64_t trainSamples);

/// Samples of step `step` (1, 2, ...): a full batch, or what is left at the end of an epoch.
[[nodiscard]] std::int64_t samplesOfStep(const StepPlan& plan, std::int64_t trainSamples, std::int64_t step);

} // namespace lockstep::plan
