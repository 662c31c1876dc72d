#include "ui/models/runs/run_cost.h"

#include "launch/expected_times.h"
#include "ui/models/number_text.h"

#include <QCoreApplication>

#include <cmath>

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
    const launch::ExpectedTime expected = launch::ExpectedTimes(history).of(runs);
    RunCost cost{{}, expected.isMeasured};
    const QString count = RunCostText::tr("%n run(s)", nullptr, static_cast<int>(runs.size()));
    if (!std::isfinite(expected.seconds)) { // of a user's own program nothing is known
        cost.text = count;
        return cost;
    }
    const QString time = cost.isMeasured ? durationText(expected.seconds)
                                         : RunCostText::tr("%1 (a rough guess)").arg(durationText(expected.seconds));
    if (expected.parameters == 0) {
        cost.text = RunCostText::tr("%1 · ≈ %2 · %3 measurements").arg(count, time, countText(expected.steps));
        return cost;
    }
    cost.text = RunCostText::tr("%1 · ≈ %2 · %3 parameters · %4 steps")
                    .arg(count, time, siText(static_cast<double>(expected.parameters)), countText(expected.steps));
    if (expected.mostMoreSeconds >= 1.0) {
        cost.text = RunCostText::tr("%1 · up to %2 more to compare times")
                        .arg(cost.text, durationText(expected.mostMoreSeconds));
    }
    return cost;
}

} // namespace lockstep::ui
