#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "plan/pipeline/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::analysis {

namespace {

/// Above the formula by more than this share, something other than the schedule leaves ranks idle.
constexpr double FarBeyond = 0.2;

/// What leaves ranks idle beyond the schedule, where the runs show that it does.
enum class IdleCause { SharedCores, UnequalStages, Messages, Unknown };

/// Of the time for which the others wait for the stage that computes longest.
double unequalShareOf(const RunRecord& run)
{
    double sum = 0.0;
    double most = 0.0;
    for (const RankSummary& rank : run.ranks) {
        const double computing = rank.phaseMs[static_cast<std::size_t>(Phase::Forward)]
            + rank.phaseMs[static_cast<std::size_t>(Phase::Backward)];
        sum += computing;
        most = std::max(most, computing);
    }
    return most > 0.0 ? 1.0 - sum / (static_cast<double>(run.ranks.size()) * most) : 0.0;
}

/// The measured one that explains most of the idle time beyond the schedule: at least half of it.
IdleCause causeOf(const Group& group, double beyond)
{
    constexpr double Enough = 0.5;
    const auto mean = [&group](auto share) { return group.mean(share).mean; };
    const std::array shares{
        std::pair(IdleCause::SharedCores, mean(inSummary<&Summary::runDelayShare>)),
        std::pair(IdleCause::UnequalStages, mean(unequalShareOf)),
        std::pair(IdleCause::Messages,
            mean([](const RunRecord& run) { return commMsPerStepOf(run.summary) / msPerStepOf(run.summary); })),
    };
    IdleCause cause = IdleCause::Unknown;
    double most = Enough * beyond;
    for (const auto& [each, share] : shares) {
        if (share >= most) { // not where it was not measured
            cause = each;
            most = share;
        }
    }
    return cause;
}

std::string_view patternOf(IdleCause cause)
{
    switch (cause) {
    case IdleCause::SharedCores:
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
            "micro-batches. Here they waited for a core.");
    case IdleCause::UnequalStages:
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
            "micro-batches. Here some stages compute longer than others.");
    case IdleCause::Messages:
        return LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
            "micro-batches. Here messages take a large part of the step.");
    case IdleCause::Unknown:
        break;
    }
    return LS_TR("Findings",
        "%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 "
        "micro-batches.");
}

std::string_view patternOf(const MeanEstimate& measured, double ideal, const Group& group)
{
    const bool holdsIdeal = measured.hasInterval() && measured.low <= ideal && ideal <= measured.high;
    if (!holdsIdeal && measured.mean > ideal * (1.0 + FarBeyond)) {
        return patternOf(causeOf(group, measured.mean - ideal));
    }
    return !holdsIdeal && measured.mean < ideal * (1.0 - FarBeyond)
        ? LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). That is less than the schedule predicts for equal "
            "stages: %3 for %4 stages and %5 micro-batches.")
        : LS_TR("Findings",
            "%1: ranks are idle for %2 of the time (the bubble). That is as the schedule predicts: %3 for %4 stages "
            "and %5 micro-batches.");
}

/// Of more pipelines a table.
constexpr std::size_t MostSentences = 2;

/// Of a bubble's sentence, in a cell of the table.
std::string causeIn(const Finding& bubble)
{
    for (const auto& [cause, words] : {std::pair(IdleCause::UnequalStages, LS_TR("Findings", "unequal stages")),
             std::pair(IdleCause::SharedCores, LS_TR("Findings", "waiting for a core")),
             std::pair(IdleCause::Messages, LS_TR("Findings", "messages"))}) {
        if (bubble.pattern == patternOf(cause)) {
            return words;
        }
    }
    return "–";
}

/// Instead of a sentence each: a table of the bubbles, and why they are longer than those of the schedules.
Finding asTable(const std::vector<Group>& groups, const std::vector<Finding>& bubbles)
{
    Finding table{.kind = "pipeline.bubble",
        .pattern = LS_TR("Findings",
            "The bubble: part of the time for which the ranks are idle. Beside it that of the schedule, with equal "
            "stages and no messages, and what the rest comes from."),
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Stages"), LS_TR("Findings", "Micro-batches"),
                      LS_TR("Findings", "Bubble"), LS_TR("Findings", "By the schedule"),
                      LS_TR("Findings", "Cause of the rest")},
            {}, false, true}};
    for (const Finding& each : bubbles) {
        const std::vector<std::string>& said = each.arguments;
        table.table.rows.push_back({said[0], said[3], said[4], said[1], said[2], causeIn(each)});
        const auto group = std::ranges::find_if(groups, [&](const Group& of) { return of.ids() == each.runs; });
        for (const auto& [name, value] : each.figures) {
            table.figures.emplace_back(name + "_" + (group == groups.end() ? each.arguments[0] : group->key), value);
        }
        table.addRuns(each.runs);
    }
    return table;
}

/// Of a step, the mean of all ranks.
double computingMsOf(const RunRecord& run)
{
    double sum = 0.0;
    for (const RankSummary& rank : run.ranks) {
        sum += phaseMsOf(rank)[static_cast<std::size_t>(Phase::Forward)]
            + phaseMsOf(rank)[static_cast<std::size_t>(Phase::Backward)];
    }
    return run.ranks.empty() ? NotMeasured : sum / static_cast<double>(run.ranks.size());
}

/// Why the pipeline with the smallest bubble takes longest, where that is because it computes for longer.
void smallestAndSlowest(const std::vector<Group>& groups, std::vector<Finding>& out)
{
    constexpr double Enough = 0.5; // of the difference
    const auto bubbleOf = [](const Group& group) { return estimateOf(&Summary::bubbleFraction, group.runs).mean; };
    const auto msOf = [](const Group& group) { return estimateOf(&Summary::msPerStepTypical, group.runs).mean; };
    std::vector<Group> known = groups;
    std::erase_if(
        known, [&](const Group& group) { return !std::isfinite(bubbleOf(group)) || !std::isfinite(msOf(group)); });
    if (known.size() < 2) {
        return;
    }
    const Group& smallest = *std::ranges::min_element(known, {}, bubbleOf);
    const auto [fastest, slowest] = std::ranges::minmax_element(known, {}, msOf);
    const double computing = smallest.mean(computingMsOf).mean;
    const double less = fastest->mean(computingMsOf).mean;
    if (&smallest != &*slowest || &smallest == &*fastest
        || !(computing - less > Enough * (msOf(smallest) - msOf(*fastest)))) {
        return;
    }
    out.push_back({.kind = "pipeline.bubble",
        .pattern = LS_TR("Findings",
            "%1 has the smallest bubble and the longest step. Computing its small micro-batches takes a rank %2 ms, "
            "with "
            "%3 it takes %4 ms."),
        .arguments = {smallest.name, threeDigits(computing), fastest->name, threeDigits(less)},
        .figures = {{"compute_ms_" + smallest.key, computing}, {"compute_ms_" + fastest->key, less}},
        .runs = idsOf({&smallest, &*fastest})});
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
        .pattern = patternOf(measured, ideal, group),
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
    const std::vector<Group> groups = groupsOf(runs);
    for (const Group& group : groups) {
        bubble(group, findings);
    }
    if (findings.size() > MostSentences) {
        findings = {asTable(groups, findings)};
        smallestAndSlowest(groups, findings);
    }
    return findings;
}

} // namespace lockstep::analysis
