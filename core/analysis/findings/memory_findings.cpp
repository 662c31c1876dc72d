#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"
#include "plan/net.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace lockstep::analysis {

namespace {

/// The rank with the most parameters, gradients and optimizer state; memory does not depend on the seed, so the first
/// repeat represents all.
const RankMemory& fullestRank(const Group& group)
{
    const auto& memory = group.runs.front()->summary.memory;
    return *std::max_element(memory.begin(), memory.end(),
        [](const RankMemory& a, const RankMemory& b) { return statesOf(a.afterStep) < statesOf(b.afterStep); });
}

double statesOf(const Group& group)
{
    return static_cast<double>(lockstep::statesOf(fullestRank(group).afterStep));
}

double parametersOf(const Group& group)
{
    return static_cast<double>(plan::parametersOf(plan::netUnits(group.runs.front()->spec)));
}

/// The leanest run that divides the net or its states, against the one whose ranks have most.
void leastStates(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    const auto hasLess = [](const Group& a, const Group& b) { return statesOf(a) < statesOf(b); };
    const auto least = std::min_element(groups.begin(), groups.end(), hasLess);
    const auto most = std::max_element(groups.begin(), groups.end(), hasLess);
    if (least == groups.end() || !isDivided(*least) || !(statesOf(*least) < statesOf(*most))
        || !trainSame(*least->runs.front(), *most->runs.front())) {
        return;
    }
    const double measured = statesOf(*least);
    std::vector<std::string> leanest; // in the digits that are shown
    for (const Group& group : groups) {
        if (isDivided(group) && bytesText(statesOf(group)) == bytesText(measured)) {
            leanest.push_back(group.name);
        }
    }
    const auto planned = static_cast<double>(lockstep::statesOf(fullestRank(*least).planned));
    const double parameters = parametersOf(*least);
    findings.push_back({.kind = "memory.least_states",
        .pattern = LS_TR("Findings",
            "%1 needs the least memory per rank for parameters, gradients and optimizer state: %2 (calculated: %3). "
            "%4 needs %5, %6 times as much."),
        .arguments = {fewOf(leanest), bytesText(measured), bytesText(planned), most->name, bytesText(statesOf(*most)),
            threeDigits(statesOf(*most) / measured)},
        .figures = {{"states_bytes", measured}, {"states_bytes_per_parameter", measured / parameters},
            {"formula_bytes_per_parameter", planned / parameters}, {"most_states_bytes", statesOf(*most)}},
        .runs = idsOf({&*least, &*most})});
}

/// The rank with the most activations at any time.
const RankMemory& busiestRank(const Group& group)
{
    const auto& memory = group.runs.front()->summary.memory;
    const auto activations = [](const RankMemory& rank) { return of(rank.most, MemoryKind::Activations); };
    return *std::max_element(memory.begin(), memory.end(),
        [&](const RankMemory& a, const RankMemory& b) { return activations(a) < activations(b); });
}

/// What recomputation saves and costs, against the run that keeps all, with otherwise equal settings.
void recomputation(const Group& group, const Group& kept, std::vector<Finding>& findings)
{
    const FigureDifference time = differenceOf(figureOf(&Summary::msPerStepTypical), kept.runs, group.runs);
    const double times = 1.0 + time.difference;
    const auto most = static_cast<double>(of(busiestRank(group).most, MemoryKind::Activations));
    const auto planned = static_cast<double>(of(busiestRank(group).planned, MemoryKind::Activations));
    const auto mostKept = static_cast<double>(of(busiestRank(kept).most, MemoryKind::Activations));
    if (!std::isfinite(times) || !(most > 0.0) || !(mostKept > 0.0)) {
        return;
    }
    findings.push_back({.kind = "memory.recompute",
        .pattern = LS_TR("Findings",
            "%1 recomputes activations: they take at most %2 on a rank (calculated: %3), with %4 %5. A step takes %6 "
            "times as long."),
        .arguments = {group.name, bytesText(most), bytesText(planned), kept.name, bytesText(mostKept),
            timesText(times, 1.0 + time.low, 1.0 + time.high)},
        .figures = {{"activation_bytes", most}, {"formula_activation_bytes", planned},
            {"kept_activation_bytes", mostKept}, {"times_step", times}},
        .runs = idsOf({&group, &kept})});
}

void recomputations(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    const auto recomputes
        = [](const Group& group) { return !is(group.runs.front()->spec, experiment::Recompute::None); };
    for (const Group& group : groups) {
        for (const Group& kept : groups) {
            if (recomputes(group) && !recomputes(kept)
                && differOnlyIn(group, kept, {nameOf(&experiment::TrainSettings::recompute)})) {
                recomputation(group, kept, findings);
            }
        }
    }
}

} // namespace

std::vector<Finding> memoryFindings(std::span<const RunRecord> all)
{
    std::vector<RunRecord> runs;
    std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
        [](const RunRecord& run) { return !run.summary.memory.empty(); });
    std::vector<Finding> findings;
    const std::vector<Group> groups = groupsOf(runs);
    leastStates(groups, findings);
    recomputations(groups, findings);
    return findings;
}

} // namespace lockstep::analysis
