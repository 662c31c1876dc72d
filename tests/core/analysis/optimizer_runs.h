// Made-up runs of the optimizers preset, and how tests read a finding.
#pragma once

#include "analysis/finding.h"
#include "analysis/run_record.h"
#include "experiment/spec.h"

#include <cmath>
#include <string>

namespace lockstep::tests {

/// A finished run of 400 steps whose loss halves every `halfLife` steps, down to 0.05. The variants are GD, SGD, Adam.
inline analysis::RunRecord optimizerRun(
    std::size_t variant, int repeat, double halfLife, double secondsPerStep, double accuracy)
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    analysis::RunRecord made;
    made.spec = experiment::expand(*spec)->at(variant);
    made.spec.repeat = repeat;
    made.spec.settings["train.seed"] = std::int64_t{1 + repeat};
    made.id.text = made.spec.name + std::to_string(repeat);
    made.status = analysis::RunStatus::Finished;
    for (int step = 1; step <= 400; ++step) {
        made.loss.step.push_back(step);
        made.loss.epoch.push_back(step / 100.0);
        made.loss.seconds.push_back(step * secondsPerStep);
        made.loss.value.push_back(2.0 * std::pow(0.5, step / halfLife) + 0.05);
    }
    made.summary.finalLoss = made.loss.value.back();
    made.summary.testAccuracy = accuracy;
    made.summary.bestTestAccuracy = accuracy;
    made.summary.msPerStep = secondsPerStep * 1e3;
    made.summary.steps = 400;
    return made;
}

/// NaN without such a figure.
inline double figure(const analysis::Finding& finding, const char* name)
{
    for (const auto& [key, value] : finding.figures) {
        if (key == name) {
            return value;
        }
    }
    return std::nan("");
}

} // namespace lockstep::tests
