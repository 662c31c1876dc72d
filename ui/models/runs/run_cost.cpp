#include "ui/models/runs/run_cost.h"

#include "analysis/scaling/estimate.h"
#include "launch/ranks/rank_program.h"
#include "launch/session.h"
#include "ui/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::ui {

namespace {

struct RunCostText {
    Q_DECLARE_TR_FUNCTIONS(lockstep::ui::RunCost)
};

} // namespace

RunCost costOf(std::span<const experiment::RunSpec> runs, std::span<const analysis::RunRecord> history)
{
    if (runs.empty()) {
        return {};
    }
    double seconds = 0.0;
    std::int64_t steps = 0;
    std::int64_t weights = 0;
    RunCost cost{{}, true};
    const auto processors = launch::ExpectedProcessors::here();
    for (const experiment::RunSpec& run : runs) {
        const analysis::Estimate one = analysis::estimate(launch::withAbsolutePaths(run), history, processors.of(run));
        seconds += one.seconds;
        steps += one.steps;
        weights = std::max(weights, one.parameters);
        cost.isMeasured = cost.isMeasured && one.fromMeasurement;
    }
    const QString count = RunCostText::tr("%n run(s)", nullptr, static_cast<int>(runs.size()));
    if (!std::isfinite(seconds)) { // of a user's own program nothing is known
        cost.text = count;
        return cost;
    }
    if (weights == 0) {
        cost.text = RunCostText::tr("%1 · ≈ %2 · %3 measurements").arg(count, durationText(seconds), countText(steps));
        return cost;
    }
    cost.text = RunCostText::tr("%1 · ≈ %2 · %3 parameters · %4 steps")
                    .arg(count, durationText(seconds), siText(static_cast<double>(weights)), countText(steps));
    const std::vector<experiment::RunSpec> all(runs.begin(), runs.end());
    if (const double measuring = analysis::mostSecondsOfMeasuring(all); measuring > 0.0) {
        cost.text = RunCostText::tr("%1 · up to %2 more to compare times").arg(cost.text, durationText(measuring));
    }
    return cost;
}

} // namespace lockstep::ui
