#include "analysis/figures/comparison.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/timing/machine_load.h"
#include "analysis/timing/processor.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// Cores that its ranks keep computing, at most those of the machine; NotMeasured where that is not known.
double computingCores(const Group& group)
{
    const RunRecord& first = *group.runs.front();
    const double bubble = estimateOf(&Summary::bubbleFraction, group.runs).mean;
    const Figure& share = *findFigure("comms_with_wait_typical");
    const double idle
        = std::isfinite(bubble) ? bubble : group.mean([&share](const RunRecord& run) { return share.of(run); }).mean;
    const double busy = static_cast<double>(ranksOf(first) * first.spec.settings->rank.threads) * (1.0 - idle);
    return first.summary.cores > 0 ? std::min(busy, static_cast<double>(first.summary.cores)) : busy;
}

/// What changes no step's work: with it alone two variants take equally long.
bool differInNoWork(const Group& a, const Group& b)
{
    return differOnlyIn(a, b, {nameOf(&experiment::OptimizerSettings::lr)});
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
        idsOf({&baseline, &group}), isFasterThanCoresAllow(figure, baseline, group),
        differInNoWork(baseline, group) && (std::ranges::any_of(baseline.runs, [](const RunRecord* run) {
            return wasMachineBusy(*run);
        }) || std::ranges::any_of(group.runs, [](const RunRecord* run) { return wasMachineBusy(*run); }))};
}

} // namespace

bool isFasterThanCoresAllow(const Figure& figure, const Group& baseline, const Group& group)
{
    constexpr double Tolerance = 1.25; // of shares that other work changes
    const RunRecord& one = *baseline.runs.front();
    const RunRecord& other = *group.runs.front();
    const bool isTime = figure.name.starts_with("ms_per_step");
    const FigureDifference of = differenceOf(figure, baseline.runs, group.runs);
    if ((!isTime && !figure.name.starts_with("samples_per_s")) || !of.hasInterval()
        || processorOf(one) == Processor::Gpu || processorOf(other) == Processor::Gpu) {
        return false;
    }
    const double gain = isTime ? 1.0 / (1.0 + of.high) : 1.0 + of.low; // at least
    const auto coresOf = [](const RunRecord& run) {
        return static_cast<double>(
            std::min<std::int64_t>(ranksOf(run) * run.spec.settings->rank.threads, run.summary.cores));
    };
    const bool areKnown = one.summary.cores > 0 && other.summary.cores > 0;
    if (areKnown && ranksOf(other) > ranksOf(one) && gain > coresOf(other) / coresOf(one)) {
        return true;
    }
    return trainSame(one, other) && !isAsynchronous(one) && !isAsynchronous(other)
        && one.spec.settings->train.recompute == other.spec.settings->train.recompute && gain > 1.0
        && gain > Tolerance * computingCores(group) / computingCores(baseline); // where these are known
}

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
