#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "plan/pipeline/parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::analysis {

namespace {

/// Above the formula by more than this share, something other than the schedule leaves ranks idle.
constexpr double FarBeyond = 0.2;

std::string_view patternOf(const MeanEstimate& measured, double ideal)
{
    if (measured.hasInterval() && measured.low <= ideal && ideal <= measured.high) {
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time between the first forward and the last backward (the bubble). The "
            "95 % confidence interval contains what the schedule predicts: %3 for %4 stages and %5 micro-batches (n = "
            "%6).");
    }
    if (measured.mean > ideal * (1.0 + FarBeyond)) {
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time between the first forward and the last backward (the bubble). "
            "With equally long stages and instant messages it would be %3 for %4 stages and %5 micro-batches: here "
            "stages differ, share cores, or wait for messages (n = %6).");
    }
    return measured.mean < ideal * (1.0 - FarBeyond)
        ? LS_TR("Findings",
            "%1: ranks are idle for %2 of the time between the first forward and the last backward (the bubble), less "
            "than the schedule predicts for equally long stages: %3 for %4 stages and %5 micro-batches (n = %6).")
        : LS_TR("Findings",
            "%1: ranks are idle for %2 of the time between the first forward and the last backward (the bubble), as "
            "the schedule predicts: %3 for %4 stages and %5 micro-batches (n = %6).");
}

void bubble(const Group& group, std::vector<Finding>& findings)
{
    const MeanEstimate measured = estimateOf(&Summary::bubbleFraction, group.runs);
    if (!std::isfinite(measured.mean)) {
        return;
    }
    const RunRecord& first = *group.runs.front();
    const plan::PipelineShape shape = plan::pipelineShape(first.spec);
    const double ideal = plan::idealBubble(shape);
    findings.push_back({.kind = "pipeline.bubble",
        .pattern = patternOf(measured, ideal),
        .arguments = {group.name, estimateText(&Summary::bubbleFraction, group.runs), percent(ideal),
            std::to_string(shape.stages), std::to_string(shape.microBatches), std::to_string(measured.n)},
        .figures = {{"bubble", measured.mean}, {"ideal_bubble", ideal}},
        .runs = group.ids()});
}

} // namespace

std::vector<Finding> pipelineFindings(std::span<const RunRecord> all)
{
    std::vector<RunRecord> runs;
    std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
        [](const RunRecord& run) { return plan::pipelineShape(run.spec).stages > 1; });
    std::vector<Finding> findings;
    for (const Group& group : groupsOf(runs)) {
        bubble(group, findings);
    }
    return findings;
}

} // namespace lockstep::analysis
