#include "plan/steps.h"

#include "experiment/choices.h"

#include <algorithm>

namespace lockstep::plan {

StepPlan stepPlan(const experiment::RunSpec& run, std::int64_t trainSamples)
{
    StepPlan plan;
    const bool wholeBatch = is(run, experiment::OptimizerName::Gd);
    plan.batch = wholeBatch ? trainSamples : std::min(experiment::globalBatch(run), trainSamples);
    plan.stepsPerEpoch = (trainSamples + plan.batch - 1) / plan.batch;
    const std::int64_t steps = run.settings->train.steps;
    plan.totalSteps = steps > 0 ? steps : plan.stepsPerEpoch * run.settings->train.epochs;
    return plan;
}

std::int64_t evaluatedTrainSamples(std::int64_t trainSamples)
{
    constexpr std::int64_t Most = 10'000;
    return std::min(trainSamples, Most);
}

std::int64_t samplesOfStep(const StepPlan& plan, std::int64_t trainSamples, std::int64_t step)
{
    const std::int64_t inEpoch = (step - 1) % plan.stepsPerEpoch;
    return std::min(plan.batch, trainSamples - inEpoch * plan.batch);
}

} // namespace lockstep::plan
