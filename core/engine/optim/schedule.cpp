// Learning-rate schedules: constant, steps, and half a cosine (Loshchilov and Hutter 2017, section 3, without
// restarts); a linear warm-up before any of them (Goyal et al. 2017, section 2.2).
#include "engine/optim/optimizer.h"

#include "plan/steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::engine {

double learningRateAt(const experiment::RunSpec& run, std::int64_t step, const plan::StepPlan& steps)
{
    const double rate = run.real("optimizer.lr");
    const std::int64_t warmUp = run.integer("optimizer.warmup");
    if (step <= warmUp) {
        return rate * static_cast<double>(step) / static_cast<double>(warmUp + 1);
    }
    const std::string& schedule = run.text("optimizer.schedule");
    if (schedule == "step") {
        const std::int64_t epoch = (step - 1) / steps.stepsPerEpoch;
        const auto changes = static_cast<double>(epoch / run.integer("optimizer.schedule_every"));
        return rate * std::pow(run.real("optimizer.schedule_factor"), changes);
    }
    if (schedule == "cosine") {
        const auto left = static_cast<double>(std::max<std::int64_t>(1, steps.totalSteps - warmUp));
        const double done = static_cast<double>(step - 1 - warmUp) / left;
        return rate * 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(1.0, done)));
    }
    return rate;
}

} // namespace lockstep::engine
