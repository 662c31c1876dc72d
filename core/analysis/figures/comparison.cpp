#include "analysis/figures/comparison.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/statistics/run_groups.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace lockstep::analysis {

namespace {

bool isAsynchronous(const RunRecord& run)
{
    return is(run.spec, experiment::Algorithm::ParameterServerAsync);
}

/// Samples of a step; the whole set for gd.
std::int64_t stepSamples(const RunRecord& run)
{
    return is(run.spec, experiment::OptimizerName::Gd) ? run.summary.trainSamples : experiment::globalBatch(run.spec);
}

bool doTheSameInAStep(const RunRecord& a, const RunRecord& b)
{
    return !isAsynchronous(a) && !isAsynchronous(b) && stepSamples(a) == stepSamples(b);
}

std::optional<Comparison> compared(const Group& baseline, const Group& group)
{
    const bool isTime = doTheSameInAStep(*baseline.runs.front(), *group.runs.front());
    const Figure& figure = figureOf(isTime ? &Summary::msPerStepTypical : &Summary::samplesPerSecondTypical);
    const FigureDifference of = differenceOf(figure, baseline.runs, group.runs);
    if (!std::isfinite(of.difference)) {
        return std::nullopt;
    }
    return Comparison{baseline.name, group.name, baseline.key, group.key, isTime ? "ms_per_step" : "samples_per_s",
        {of.difference, of.low, of.high, of.n, of.merged},
        of.isOfRounds     ? "block"
            : of.isPaired ? "seed"
                          : "run",
        idsOf({&baseline, &group})};
}

} // namespace

std::vector<Comparison> comparisons(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> finished;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(finished),
        [](const RunRecord& run) { return run.status == RunStatus::Finished && !experiment::isSweep(run.spec); });
    const std::vector<Group> groups = groupsOf(finished);
    if (groups.size() < 2) {
        return {};
    }
    std::vector<std::string> names;
    for (const Group& group : groups) {
        names.push_back(group.runs.front()->spec.name);
    }
    const Group& baseline = groups[experiment::baselineOf(names)];
    std::vector<Comparison> result;
    for (const Group& group : groups) {
        if (&group == &baseline) {
            continue;
        }
        if (auto one = compared(baseline, group)) {
            result.push_back(std::move(*one));
        }
    }
    return result;
}

} // namespace lockstep::analysis
