// Finished runs that are repeats of variants, for tests of charts.
#pragma once

#include "ui/models/sample_runs.h"

namespace lockstep::test {

/// A finished run of a variant: losses and accuracies depend on the seed, `scale` and `more` tell variants apart.
inline std::unique_ptr<SampleRun> repeatRun(
    const std::string& name, int number, std::int64_t seed, double scale, std::int64_t steps = 100, double more = 0.0)
{
    auto run = std::make_unique<SampleRun>(name, number, steps);
    run->setSeed(seed);
    for (int part = 0; part < 4; ++part) {
        run->addSteps(steps / 4, [&](std::int64_t step) {
            return scale / std::sqrt(static_cast<double>(step)) * (1.0 + 0.1 * static_cast<double>(seed));
        });
        run->addEvaluation(0.90 - more + 0.01 * part + 0.01 * static_cast<double>(seed), scale / (1.0 + part));
    }
    store::Delta end;
    end.statuses.push_back({analysis::RunStatus::Finished, {}, 3});
    run->add(std::move(end));
    return run;
}

} // namespace lockstep::test
