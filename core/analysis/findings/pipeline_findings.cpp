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

/// What leaves ranks idle beyond the schedule, as the run shows it.
enum class IdleCause { SharedCores, UnequalStages, Messages };

IdleCause causeOf(const RunRecord& run)
{
    if (run.summary.cores > 0 && ranksOf(run) * run.spec.settings->rank.threads > run.summary.cores) {
        return IdleCause::SharedCores;
    }
    constexpr double Unequal = 1.2; // times the least computation
    const auto computing = [](const RankSummary& rank) {
        return rank.phaseMs[static_cast<std::size_t>(Phase::Forward)]
            + rank.phaseMs[static_cast<std::size_t>(Phase::Backward)];
    };
    const auto [least, most] = std::ranges::minmax_element(run.ranks, {}, computing);
    const bool areUnequal = run.ranks.size() > 1 && computing(*most) > Unequal * computing(*least);
    return areUnequal ? IdleCause::UnequalStages : IdleCause::Messages;
}

std::string_view patternOf(IdleCause cause)
{
    switch (cause) {
    case IdleCause::SharedCores:
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
            "micro-batches. Here they share cores.");
    case IdleCause::UnequalStages:
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
            "micro-batches. Here some stages compute longer than others.");
    case IdleCause::Messages:
        break;
    }
    return LS_TR("Findings",
        "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
        "micro-batches. Here they wait for messages.");
}

std::string_view patternOf(const MeanEstimate& measured, double ideal, const RunRecord& run)
{
    const bool holdsIdeal = measured.hasInterval() && measured.low <= ideal && ideal <= measured.high;
    if (!holdsIdeal && measured.mean > ideal * (1.0 + FarBeyond)) {
        return patternOf(causeOf(run));
    }
    return !holdsIdeal && measured.mean < ideal * (1.0 - FarBeyond)
        ? LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). That is less than the schedule predicts for equal "
            "stages: %3 for %4 stages and %5 micro-batches.")
        : LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). That is as the schedule predicts: %3 for %4 stages "
            "and %5 micro-batches.");
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
        .pattern = patternOf(measured, ideal, first),
        .arguments = {group.name, estimateText(&Summary::bubbleFraction, group.runs), percent(ideal),
            std::to_string(shape.stages), std::to_string(shape.microBatches)},
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
