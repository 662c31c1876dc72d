#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/timing/traffic_by_kind.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace lockstep::analysis {

namespace {

bool isOfOneRank(const Group& group)
{
    return is(group.runs.front()->spec, experiment::Strategy::Single);
}

/// Model memory of the fullest rank: states after a step plus peak activations. Memory does not depend on the seed, so
/// the first repeat represents all.
double mostKept(const Group& group)
{
    double most = 0.0;
    for (const RankMemory& rank : group.runs.front()->summary.memory) {
        most = std::max(
            most, static_cast<double>(lockstep::statesOf(rank.afterStep) + of(rank.most, MemoryKind::Activations)));
    }
    return most;
}

/// One whole sentence for each strategy, so that it can be translated as one.
std::string_view patternOf(const experiment::RunSpec& spec)
{
    const auto strategy = experiment::choice<experiment::Strategy>(spec);
    if (strategy == experiment::Strategy::Data && !experiment::trainsLocally(spec)) {
        return LS_TR("Findings",
            "%1: a step takes %2 ms, %3 times as long as with %4; each rank sends %5 of gradients and holds at most "
            "%6 of weights, gradients, optimizer state and activations, %7 times as much (n = %8).");
    }
    if (strategy == experiment::Strategy::Pipeline) {
        return LS_TR("Findings",
            "%1: a step takes %2 ms, %3 times as long as with %4; each rank sends %5 of activations and their "
            "gradients and holds at most %6 of weights, gradients, optimizer state and activations, %7 times as much "
            "(n = %8).");
    }
    if (strategy == experiment::Strategy::Tensor) {
        return LS_TR("Findings",
            "%1: a step takes %2 ms, %3 times as long as with %4; each rank sends %5 of partial sums within layers "
            "and holds at most %6 of weights, gradients, optimizer state and activations, %7 times as much (n = %8).");
    }
    if (strategy == experiment::Strategy::Zero) {
        return LS_TR("Findings",
            "%1: a step takes %2 ms, %3 times as long as with %4; each rank sends %5 of gradients and weights and "
            "holds at most %6 of weights, gradients, optimizer state and activations, %7 times as much (n = %8).");
    }
    return LS_TR("Findings",
        "%1: a step takes %2 ms, %3 times as long as with %4; each rank sends %5 and holds at most %6 of weights, "
        "gradients, optimizer state and activations, %7 times as much (n = %8).");
}

void cost(const Group& group, const Group& single, std::vector<Finding>& findings)
{
    const MeanEstimate ms = estimateOf(&Summary::msPerStepTypical, group.runs);
    const double msOfSingle = estimateOf(&Summary::msPerStepTypical, single.runs).mean;
    const double bytes = estimateOf(&Summary::bytesPerStep, group.runs).mean;
    const double kept = mostKept(group);
    const double keptBySingle = mostKept(single);
    if (!std::isfinite(ms.mean) || !(msOfSingle > 0.0) || !std::isfinite(bytes) || !(kept > 0.0)
        || !(keptBySingle > 0.0)) {
        return;
    }
    std::vector<std::pair<std::string, double>> figures{{"ms_per_step", ms.mean},
        {"times_single", ms.mean / msOfSingle}, {"bytes_per_step", bytes}, {"kept_bytes", kept},
        {"kept_times_single", kept / keptBySingle}};
    const auto byKind = bytesByKind(*group.runs.front());
    for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
        figures.emplace_back(std::string(TrafficKindNames[kind]) + "_bytes_per_step", byKind[kind]);
    }
    findings.push_back({.kind = "model_parallel.cost",
        .pattern = patternOf(group.runs.front()->spec),
        .arguments = {group.name, withInterval(ms), threeDigits(ms.mean / msOfSingle), single.name, bytesText(bytes),
            bytesText(kept), threeDigits(kept / keptBySingle), std::to_string(ms.n)},
        .figures = std::move(figures),
        .runs = idsOf({&group, &single})});
}

} // namespace

std::vector<Finding> modelParallelFindings(std::span<const RunRecord> runs)
{
    const std::vector<Group> groups = groupsOf(runs);
    const auto single
        = std::find_if(groups.begin(), groups.end(), [](const Group& group) { return isOfOneRank(group); });
    std::vector<Finding> findings;
    if (single == groups.end() || std::none_of(groups.begin(), groups.end(), isDivided)) {
        return findings;
    }
    for (const Group& group : groups) {
        if (&group != &*single && !isOfOneRank(group) && trainSame(*group.runs.front(), *single->runs.front())) {
            cost(group, *single, findings);
        }
    }
    return findings;
}

} // namespace lockstep::analysis
