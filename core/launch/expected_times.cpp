#include "launch/expected_times.h"

#include "analysis/timing/machine_load.h"
#include "datasets/registry.h"
#include "launch/session.h"
#include "launch/turn_taker.h"
#include "wire/control.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lockstep::launch {

namespace {

/// Runs of one seed that take turns with each other.
struct Turns {
    std::vector<analysis::Estimate> runs;
    double limitSeconds = 0.0;
    bool hasSeveralRanks = false;
};

double secondsPerStep(const analysis::Estimate& run)
{
    return (run.seconds - run.startSeconds) / static_cast<double>(std::max<std::int64_t>(1, run.steps));
}

/// Each run takes part in as many rounds as make a difference known on a quiet machine; its own steps are the first of
/// them.
double secondsOfMeasuring(const Turns& turns)
{
    double seconds = 0.0;
    double sum = 0.0;
    for (const analysis::Estimate& run : turns.runs) {
        sum += secondsPerStep(run);
    }
    const double wanted = std::ceil(TurnTaker::BlockMs * 1e-3 * static_cast<double>(turns.runs.size()) / sum);
    const double counted
        = std::clamp(wanted, static_cast<double>(TurnTaker::FewestSteps), static_cast<double>(TurnTaker::MostSteps));
    const double block = counted + static_cast<double>(wire::UncountedSteps);
    for (const analysis::Estimate& run : turns.runs) {
        const double own = static_cast<double>(run.steps) / block;
        seconds += std::max(0.0, static_cast<double>(TurnTaker::FewestRounds) - own) * block * secondsPerStep(run);
    }
    return std::min(seconds, turns.limitSeconds);
}

experiment::RunSpec asStarted(const experiment::RunSpec& run)
{
    experiment::RunSpec started = withAbsolutePaths(run);
    // What is wrong with the files is said where the run is checked.
    static_cast<void>(datasets::describe(started));
    return started;
}

} // namespace

ExpectedTimes::ExpectedTimes(std::span<const analysis::RunRecord> known)
    : m_known(known)
{ }

analysis::Estimate ExpectedTimes::of(const experiment::RunSpec& run) const
{
    return analysis::estimate(asStarted(run), m_known, m_processors.of(run));
}

ExpectedTime ExpectedTimes::of(std::span<const experiment::RunSpec> runs) const
{
    ExpectedTime all;
    std::map<int, Turns> comparisons; ///< by repeat
    for (const experiment::RunSpec& run : runs) {
        const analysis::Estimate one = of(run);
        all.seconds += one.seconds + one.lastEvaluationSeconds;
        all.steps += one.steps;
        all.parameters = std::max(all.parameters, one.parameters);
        all.isMeasured = all.isMeasured && one.fromMeasurement;
        if (analysis::isMeasuredInTurns(run)) {
            Turns& turns = comparisons[run.repeat];
            turns.runs.push_back(one);
            const auto ranks = experiment::worldSizeOf(run);
            turns.hasSeveralRanks = turns.hasSeveralRanks || (ranks && *ranks > 1);
            turns.limitSeconds = std::max(turns.limitSeconds, run.settings->measure.limitSeconds);
        }
    }
    all.mostMoreSeconds = analysis::mostSecondsOfMeasuring(runs);
    // Of ranks that wait for each other no difference becomes known before the limit on a busy machine.
    const auto newest = std::ranges::find_if(
        m_known, [](const analysis::RunRecord& run) { return run.status == analysis::RunStatus::Finished; });
    const bool isBusy = newest != m_known.end() && analysis::wasMachineBusy(*newest);
    double measuring = 0.0;
    for (const auto& [repeat, turns] : comparisons) {
        if (turns.runs.size() > 1) {
            measuring += isBusy && turns.hasSeveralRanks ? turns.limitSeconds : secondsOfMeasuring(turns);
        }
    }
    all.seconds += measuring;
    all.mostMoreSeconds -= measuring;
    return all;
}

std::vector<analysis::RunRecord> ExpectedTimes::nearestTo(std::span<const experiment::RunSpec> runs) const
{
    std::set<const analysis::RunRecord*> nearest;
    for (const experiment::RunSpec& run : runs) {
        if (const analysis::RunRecord* record = analysis::nearestRun(run, m_known, m_processors.of(run))) {
            nearest.insert(record);
        }
    }
    std::vector<analysis::RunRecord> records;
    std::ranges::transform(nearest, std::back_inserter(records), [](const auto* record) { return *record; });
    return records;
}

} // namespace lockstep::launch
