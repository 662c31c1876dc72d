#include "analysis/findings/laboratories.h"
#include "base/translate.h"

#include <cmath>

namespace lockstep::analysis {

namespace {

Finding scheduleFinding(const RunRecord& run)
{
    const Resumption& resumed = run.summary.resumption;
    return {.kind = "optimizers.schedule_changed",
        .pattern = LS_TR("Findings",
            "%1 continues another run after step %2. Its learning-rate schedule was made for %3 steps there and is "
            "recomputed for %4 here. Its rates differ from those of one run of %4 steps."),
        .arguments = {displayName(run), std::to_string(resumed.step), std::to_string(resumed.scheduledSteps),
            std::to_string(resumed.totalSteps)},
        .figures = {{"step", static_cast<double>(resumed.step)},
            {"scheduled_steps", static_cast<double>(resumed.scheduledSteps)},
            {"total_steps", static_cast<double>(resumed.totalSteps)}},
        .runs = {run.id},
        .role = Role::Caveat};
}

Finding timeFinding(const RunRecord& run)
{
    return {.kind = "run.time_unknown",
        .pattern = LS_TR("Findings",
            "%1 continues another run after step %2. Its checkpoint does not say how long the steps before took, so "
            "the run's seconds are unknown."),
        .arguments = {displayName(run), std::to_string(run.summary.resumption.step)},
        .figures = {{"step", static_cast<double>(run.summary.resumption.step)}},
        .runs = {run.id},
        .role = Role::Caveat};
}

} // namespace

std::vector<Finding> resumedFindings(std::span<const RunRecord> runs)
{
    std::vector<Finding> out;
    for (const RunRecord& run : runs) {
        if (run.summary.resumption.scheduledSteps > 0) {
            out.push_back(scheduleFinding(run));
        }
        if (run.summary.resumption.step > 0 && !std::isfinite(run.summary.trainSeconds)) {
            out.push_back(timeFinding(run));
        }
    }
    return out;
}

} // namespace lockstep::analysis
