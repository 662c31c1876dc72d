#include "plan/steps.h"

#include "experiment/choices.h"
#include "experiment/text_windows.h"

#include <algorithm>

namespace lockstep::plan {

namespace {

/// The number of samples if the spec asks for all and no file has to be read.
experiment::TextWindows all(const experiment::RunSpec& run)
{
    const auto data = experiment::choice<experiment::DataSet>(run);
    if (data == experiment::DataSet::Text && run.text("dataset.path").empty()) {
        return experiment::textWindows(experiment::BuiltInTextBytes, run.integer("net.context"));
    }
    return data == experiment::DataSet::Digits ? experiment::TextWindows{StandardDigitsTrain, StandardDigitsTest}
                                               : experiment::TextWindows{};
}

} // namespace

StepPlan stepPlan(const experiment::RunSpec& run, std::int64_t trainSamples)
{
    StepPlan plan;
    const bool wholeBatch = is(run, experiment::OptimizerName::Gd);
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

std::int64_t knownTrainSamples(const experiment::RunSpec& run)
{
    const std::int64_t asked = run.integer("dataset.train_samples");
    return asked == 0 ? all(run).train : asked;
}

std::int64_t knownTestSamples(const experiment::RunSpec& run)
{
    const std::int64_t asked = run.integer("dataset.test_samples");
    return asked == 0 ? all(run).test : asked;
}

} // namespace lockstep::plan
