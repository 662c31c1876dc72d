// Learning-rate schedules: constant, steps, and half a cosine (Loshchilov and Hutter 2017, section 3, without
// restarts); a linear warm-up before any of them (Goyal et al. 2017, section 2.2). Batches that grow with the ranks may
// scale the rate: linearly (Goyal et al. 2017, section 2.1) or by the square root (Krizhevsky 2014, section 5).
#include "engine/optim/optimizer.h"

#include "experiment/choices.h"
#include "plan/steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::engine {

namespace {

double scaleOf(const experiment::RunSpec& run)
{
    const auto rule = experiment::choice<experiment::LrScaling>(run);
    const double growth
        = static_cast<double>(experiment::globalBatch(run)) / static_cast<double>(run.settings->train.batch);
    return rule == experiment::LrScaling::Linear ? growth
        : rule == experiment::LrScaling::Sqrt    ? std::sqrt(growth)
                                                 : 1.0;
}

} // namespace

double learningRateAt(const experiment::RunSpec& run, std::int64_t step, const plan::StepPlan& steps)
{
    const double unscaled = run.settings->optimizer.lr;
    const double rate = unscaled * scaleOf(run);
    const std::int64_t warmUp = run.settings->optimizer.warmup;
    if (step <= warmUp) {
        const double begin = rate > unscaled ? unscaled : 0.0;
        return begin + (rate - begin) * static_cast<double>(step) / static_cast<double>(warmUp + 1);
    }
    const auto schedule = experiment::choice<experiment::LrSchedule>(run);
    if (schedule == experiment::LrSchedule::Step) {
        const std::int64_t epoch = (step - 1) / steps.stepsPerEpoch;
        const auto changes = static_cast<double>(epoch / run.settings->optimizer.scheduleEvery);
        return rate * std::pow(run.settings->optimizer.scheduleFactor, changes);
    }
    if (schedule == experiment::LrSchedule::Cosine) {
        const auto left = static_cast<double>(std::max<std::int64_t>(1, steps.totalSteps - warmUp));
        const double done = static_cast<double>(step - 1 - warmUp) / left;
        return rate * 0.5 * (1.0 + std::cos(std::numbers::pi * std::min(1.0, done)));
    }
    return rate;
}

} // namespace lockstep::engine
