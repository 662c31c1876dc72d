#include "engine/run/resumption.h"

#include "engine/optim/optimizer.h"
#include "engine/run/files/checkpoint_files.h"
#include "experiment/choices.h"
#include "plan/steps.h"

#include <algorithm>

namespace lockstep::engine {

namespace {

/// The rates of this run's first steps by its own schedule, with the length of the run that took them. A setting that
/// the user has changed besides is not the length's doing.
bool changesRates(
    const experiment::RunSpec& run, std::int64_t steps, const plan::StepPlan& then, const plan::StepPlan& now)
{
    if (!is(run, experiment::LrSchedule::Cosine)) {
        return false; // no other depends on the length
    }
    // The later the step, the more the length says; from the end of the shorter run on, the rates differ anyway.
    for (std::int64_t step = std::min({steps, then.totalSteps, now.totalSteps}); step > 0; --step) {
        if (learningRateAt(run, step, then) != learningRateAt(run, step, now)) {
            return true;
        }
    }
    return false;
}

} // namespace

ResumedFrom resumedFrom(const experiment::RunSpec& run, const Job& job)
{
    const std::string& folder = run.settings->checkpoint.from;
    if (folder.empty()) {
        return {};
    }
    const auto manifest = readManifest(folder);
    if (!manifest) {
        return {};
    }
    ResumedFrom resumption{manifest->step, manifest->trainedNs, 0};
    // A spec of another version may not be readable here.
    if (const auto before = experiment::parseRunSpec(manifest->specJson)) {
        plan::StepPlan then = job.plan;
        then.totalSteps = plan::stepPlan(*before, job.partition.sampler->samplesPerEpoch()).totalSteps;
        resumption.scheduledSteps
            = changesRates(run, manifest->step, then, job.plan) ? then.totalSteps : std::int64_t{0};
    }
    return resumption;
}

} // namespace lockstep::engine
