#include "plan/local_sgd.h"

#include "experiment/choices.h"

#include <algorithm>

namespace lockstep::plan {

std::int64_t stepsBetweenSynchronizations(const experiment::RunSpec& run, const StepPlan& plan)
{
    const bool isLocal = is(run, experiment::Strategy::Local);
    const std::int64_t asked = isLocal ? run.settings->local.every : run.settings->aggregation.every;
    return asked == 0 ? plan.stepsPerEpoch : asked;
}

std::int64_t periodOf(const experiment::RunSpec& run, std::int64_t stepsPerEpoch)
{
    if (!experiment::trainsLocally(run)) {
        return 1;
    }
    return std::max<std::int64_t>(1, stepsBetweenSynchronizations(run, {.stepsPerEpoch = stepsPerEpoch}));
}

OuterStep outerStep(const experiment::RunSpec& run)
{
    if (!is(run, experiment::Strategy::Local)) {
        return {};
    }
    return {
        is(run, experiment::LocalMessage::Differences), run.settings->local.outerLr, run.settings->local.outerMomentum};
}

} // namespace lockstep::plan
