#include "plan/steps.h"

#include "experiment/choices.h"
#include "experiment/text_windows.h"

#include <algorithm>

namespace lockstep::plan {

namespace {

/// The number of samples if the spec asks for all and no file has to be read.
experiment::TextWindows all(const experiment::RunSpec& run)
{
    if (is(run, experiment::DataSet::Text)) {
        return run.settings->dataset.path.empty()
            ? experiment::textWindows(experiment::BuiltInTextBytes, run.settings->net.context)
            : experiment::TextWindows{};
    }
    const experiment::DataFacts facts = experiment::dataFactsOf(run);
    return {facts.trainSamples, facts.testSamples};
}

} // namespace

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

std::int64_t samplesOfStep(const StepPlan& plan, std::int64_t trainSamples, std::int64_t step)
{
    const std::int64_t inEpoch = (step - 1) % plan.stepsPerEpoch;
    return std::min(plan.batch, trainSamples - inEpoch * plan.batch);
}

std::int64_t knownTrainSamples(const experiment::RunSpec& run)
{
    const std::int64_t asked = run.settings->dataset.trainSamples;
    return asked == 0 ? all(run).train : asked;
}

std::int64_t knownTestSamples(const experiment::RunSpec& run)
{
    const std::int64_t asked = run.settings->dataset.testSamples;
    return asked == 0 ? all(run).test : asked;
}

} // namespace lockstep::plan
