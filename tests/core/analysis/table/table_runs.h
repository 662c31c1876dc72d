// Made-up runs for tests of the table.
#pragma once

#include "analysis/table/column.h"

#include <string>

namespace lockstep::tests {

/// A finished run of the optimizers preset's variant `name` with this seed.
inline analysis::RunRecord tableRun(const std::string& name, std::int64_t seed, double loss, double accuracy)
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    analysis::RunRecord run;
    const auto runs = experiment::expand(*spec);
    for (const experiment::RunSpec& each : *runs) {
        if (each.name == name) {
            run.spec = each;
        }
    }
    run.spec.settings["train.seed"] = seed;
    run.spec.repeat = static_cast<int>(seed) - 1;
    run.id.text = "20261120-12000" + std::to_string(seed) + "-abcd";
    run.status = analysis::RunStatus::Finished;
    run.createdNs = 1'763'640'000'000'000'000 + seed; // 2025-11-20 12:00 UTC
    run.summary.finalLoss = loss;
    run.summary.testAccuracy = accuracy;
    run.summary.steps = 100;
    return run;
}

} // namespace lockstep::tests
