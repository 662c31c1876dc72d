#include "plan/steps.h"

#include <algorithm>

namespace lockstep::plan {

namespace {

std::int64_t known(const experiment::RunSpec& run, const char* key, std::int64_t standardDigits)
{
    const std::int64_t asked = run.integer(key);
    return asked == 0 && run.text("dataset.name") == "digits" ? standardDigits : asked;
}

} // namespace

StepPlan stepPlan(const experiment::RunSpec& run, std::int64_t trainSamples)
{
    StepPlan plan;
    const bool wholeBatch = run.text("optimizer.name") == "gd";
    plan.batch = wholeBatch ? trainSamples : std::min(experiment::globalBatch(run), trainSamples);
    plan.stepsPerEpoch = (trainSamples + plan.batch - 1) / plan.batch;
    const std::int64_t steps = run.integer("train.steps");
    plan.totalSteps = steps > 0 ? steps : plan.stepsPerEpoch * run.integer("train.epochs");
    return plan;
}

std::int64_t samplesOfStep(const StepPlan& plan, std::int64_t trainSamples, std::int64_t step)
{
    const std::int64_t inEpoch = (step - 1) % plan.stepsPerEpoch;
    return std::min(plan.batch, trainSamples - inEpoch * plan.batch);
}

std::int64_t stepsBetweenAverages(const experiment::RunSpec& run, const StepPlan& plan)
{
    const std::int64_t asked = run.integer("aggregation.every");
    return asked == 0 ? plan.stepsPerEpoch : asked;
}

std::int64_t knownTrainSamples(const experiment::RunSpec& run)
{
    return known(run, "dataset.train_samples", StandardDigitsTrain);
}

std::int64_t knownTestSamples(const experiment::RunSpec& run)
{
    return known(run, "dataset.test_samples", StandardDigitsTest);
}

} // namespace lockstep::plan
