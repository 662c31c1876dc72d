#include "analysis/findings/method_notes.h"

#include "analysis/figures/comparison.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <initializer_list>

namespace lockstep::analysis {

namespace {

bool hasAny(std::span<const Finding> said, std::initializer_list<std::string_view> starts)
{
    return std::ranges::any_of(said, [&](const Finding& finding) {
        return std::ranges::any_of(starts, [&](std::string_view start) { return finding.kind.starts_with(start); });
    });
}

/// Whether a name has `(1/3)` behind it: not in all of its runs.
bool namesPart(const Finding& finding)
{
    const auto hasPart = [](const std::string& text) {
        const std::size_t at = text.find('/');
        const std::size_t open = text.rfind('(', at);
        return at != std::string::npos && open != std::string::npos && at > open + 1
            && text.find_first_not_of("0123456789", open + 1) == at
            && text.find_first_not_of("0123456789", at + 1) < text.size()
            && text[text.find_first_not_of("0123456789", at + 1)] == ')';
    };
    return (finding.kind == "optimizers.not_learned" || finding.kind == "answer.diverged")
        && std::ranges::any_of(finding.arguments, hasPart);
}

/// How often each variant ran: nothing for single runs.
void addRepeats(std::span<const RunRecord> counted, std::vector<Finding>& notes)
{
    const std::vector<Group> groups = groupsOf(counted);
    if (groups.empty()) {
        return;
    }
    const auto [fewest, most]
        = std::ranges::minmax_element(groups, {}, [](const Group& group) { return group.runs.size(); });
    const std::string least = std::to_string(fewest->runs.size());
    if (most->runs.size() < 2) {
        return;
    }
    notes.push_back({.kind = "method.repeats",
        .pattern = fewest->runs.size() == most->runs.size()
            ? LS_TR("Findings",
                "Numbers are means over %1 repeats with other seeds; 95 % confidence intervals in "
                "brackets.")
            : LS_TR("Findings",
                "Numbers are means over %1 to %2 repeats with other seeds; 95 % confidence intervals "
                "in brackets."),
        .arguments = {least, std::to_string(most->runs.size())}});
}

/// Of runs that took turns.
void addTurns(std::span<const RunRecord> counted, std::vector<Finding>& notes)
{
    const std::vector<Comparison> all = comparisons(counted);
    const auto inTurns = std::ranges::find(all, std::string_view("block"), &Comparison::unit);
    if (inTurns != all.end()) {
        notes.push_back({.kind = "method.turns",
            .pattern = LS_TR("Findings",
                "Runs took turns: their times are compared in %1 blocks of steps each, on the "
                "log scale."),
            .arguments = {std::to_string(inTurns->difference.n)}});
    }
}

} // namespace

std::vector<Finding> methodNotes(std::span<const Finding> said, std::span<const RunRecord> runs)
{
    std::vector<Finding> notes;
    if (said.empty()) {
        return notes;
    }
    std::vector<RunRecord> counted;
    std::ranges::copy_if(runs, std::back_inserter(counted),
        [](const RunRecord& run) { return run.status == RunStatus::Finished && !experiment::isSweep(run.spec); });
    addRepeats(counted, notes);
    addTurns(counted, notes);
    if (hasAny(said, {"optimizers.to_loss", "optimizers.fast", "optimizers.fewest"})) {
        notes.push_back({.kind = "method.smoothing",
            .pattern = LS_TR("Findings",
                "Steps to a loss are those of the smoothed batch loss; seconds are these steps at the typical time per "
                "step.")});
    }
    if (hasAny(said, {"partitioning.accuracy", "partitioning.skew"})) {
        notes.push_back({.kind = "method.skew",
            .pattern = LS_TR("Findings",
                "Label skew: what part of a rank's samples would need another label to match the whole set. It is at "
                "most 0.5 for 2 ranks, 0.75 for 4.")});
    }
    if (hasAny(said, {"partitioning.alpha"})) {
        notes.push_back({.kind = "method.alpha",
            .pattern = LS_TR("Findings",
                "Dirichlet's alpha sets how evenly each label is spread over the ranks: the smaller, the more of a "
                "label is on one rank.")});
    }
    if (hasAny(said, {"answer.influence", "parameters.influence"})) {
        notes.push_back({.kind = "method.influence",
            .pattern = LS_TR("Findings",
                "What a setting changes is the largest difference between the means of two of its values, each over "
                "all values of the others.")});
    }
    if (hasAny(said, {"scaling.time_to_accuracy"})) {
        notes.push_back({.kind = "method.seconds",
            .pattern = LS_TR("Findings",
                "Seconds to an accuracy are its steps at the typical time per step, without evaluations.")});
    }
    if (std::ranges::any_of(said, namesPart)) {
        notes.push_back({.kind = "method.part",
            .pattern = LS_TR("Findings", "In brackets behind a name, (1/3): of its 3 runs, in 1.")});
    }
    if (hasAny(said, {"aggregation.straggler", "answer.slow_rank"})) {
        notes.push_back({.kind = "method.waiting",
            .pattern = LS_TR("Findings", "Waiting of a rank is the median over its steps.")});
    }
    if (hasAny(said, {"collectives.fit"})) {
        notes.push_back({.kind = "method.fit",
            .pattern = LS_TR("Findings",
                "Time per message and bandwidth are fitted to all sizes; half of the measurements are within the given "
                "share.")});
    }
    if (hasAny(said, {"scaling.prediction"})) {
        notes.push_back({.kind = "method.link",
            .pattern = LS_TR("Findings", "The link of a prediction was measured apart from training.")});
    }
    return notes;
}

} // namespace lockstep::analysis
