#include "analysis/figures/comparison.h"
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

/// A row beside the single process, which has one too; nothing where something was not measured.
void addRow(const Group& group, const Group& single, Finding& finding)
{
    const MeanEstimate ms = estimateOf(&Summary::msPerStepTypical, group.runs);
    const double msOfSingle = estimateOf(&Summary::msPerStepTypical, single.runs).mean;
    const double bytes = estimateOf(&Summary::bytesPerStep, group.runs).mean;
    const Figure& peak = *findFigure("peak_bytes");
    const double kept = estimateOf(peak, group.runs).mean;
    const double keptBySingle = estimateOf(peak, single.runs).mean;
    if (!std::isfinite(ms.mean) || !(msOfSingle > 0.0) || !std::isfinite(bytes) || !(kept > 0.0)
        || !(keptBySingle > 0.0)) {
        return;
    }
    const bool isSingle = &group == &single;
    const FigureDifference of = differenceOf(figureOf(&Summary::msPerStepTypical), single.runs, group.runs);
    const bool isDoubtful = !isSingle && isFasterThanCoresAllow(figureOf(&Summary::msPerStepTypical), single, group);
    finding.hasDoubtful = finding.hasDoubtful || isDoubtful;
    finding.table.rows.push_back({group.name, withInterval(ms),
        isSingle ? "1"
                 : timesText(1.0 + of.difference, 1.0 + of.low, 1.0 + of.high)
                + (isDoubtful ? std::string(DoubtMark) : std::string()),
        bytesText(bytes), estimateText(peak, estimateOf(peak, group.runs)),
        isSingle ? "1" : threeDigits(kept / keptBySingle)});
    finding.addRuns(group.ids());
    if (isSingle) {
        return;
    }
    const auto add = [&](std::string_view name, double value) {
        finding.figures.emplace_back(std::string(name) + "_" + group.key, value);
    };
    add("ms_per_step", ms.mean);
    add("times_single", 1.0 + of.difference);
    add("bytes_per_step", bytes);
    add("peak_bytes", kept);
    add("peak_times_single", kept / keptBySingle);
    const auto byKind = bytesByKind(*group.runs.front());
    for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
        add(std::string(TrafficKindNames[kind]) + "_bytes_per_step", byKind[kind]);
    }
}

} // namespace

std::vector<Finding> modelParallelFindings(std::span<const RunRecord> runs)
{
    const std::vector<Group> groups = groupsOf(runs);
    const auto single
        = std::find_if(groups.begin(), groups.end(), [](const Group& group) { return isOfOneRank(group); });
    std::vector<Finding> findings;
    if (std::ranges::none_of(groups, isDivided)) {
        return findings;
    }
    // Without a single process, the first of those that divide it otherwise: with its states elsewhere.
    const Group& beside = single != groups.end() ? *single : *std::ranges::find_if(groups, isDivided);
    Finding finding{.kind = "model_parallel.cost",
        .pattern = LS_TR("Findings", "What each way costs and saves per rank, beside %1."),
        .arguments = {beside.name},
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Time per step (ms)"),
                      LS_TR("Findings", "Multiple of the time"), LS_TR("Findings", "Sent per step"),
                      LS_TR("Findings", "Peak memory"), LS_TR("Findings", "Multiple of the memory")},
            {}}};
    addRow(beside, beside, finding);
    for (const Group& group : groups) {
        if (&group != &beside && !isOfOneRank(group) && trainSame(*group.runs.front(), *beside.runs.front())) {
            addRow(group, beside, finding);
        }
    }
    if (finding.table.rows.size() > 1) {
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace lockstep::analysis
