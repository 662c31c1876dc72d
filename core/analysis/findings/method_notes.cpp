#include "analysis/findings/method_notes.h"

#include "analysis/figures/comparison.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

namespace {

bool saysAny(std::span<const Finding> said, const std::vector<std::string_view>& words)
{
    return std::ranges::any_of(said, [&](const Finding& finding) {
        return std::ranges::any_of(
            words, [&](std::string_view each) { return finding.pattern.find(each) != std::string_view::npos; });
    });
}

bool hasAny(std::span<const Finding> said, const std::vector<std::string_view>& starts)
{
    return std::ranges::any_of(said, [&](const Finding& finding) {
        return std::ranges::any_of(starts, [&](std::string_view start) { return finding.kind.starts_with(start); });
    });
}

/// Of findings whose kind starts so.
struct Note {
    std::string_view kind;
    std::vector<std::string_view> starts;
    std::string_view pattern;
};

const std::vector<Note>& notesOfKinds()
{
    static const std::vector<Note> Notes{
        {"method.memory", {"memory.least_states"},
            LS_TR("Findings", "Peak memory is that of all tensors of a rank, activations and buffers, too.")},
        {"method.smoothing", {"optimizers.to_loss", "optimizers.fast", "optimizers.fewest"},
            LS_TR("Findings",
                "Steps to a loss are those of the smoothed batch loss; seconds are these steps at the typical time per "
                "step.")},
        {"method.skew", {"partitioning.accuracy", "partitioning.skew"},
            LS_TR("Findings",
                "Label skew: what part of a rank's samples would need another label to match the whole set. It is at "
                "most 0.5 for 2 ranks, 0.75 for 4.")},
        {"method.alpha", {"partitioning.alpha"},
            LS_TR("Findings",
                "Dirichlet's alpha sets how evenly each label is spread over the ranks: the smaller, the more of a "
                "label is on one rank.")},
        {"method.influence", {"answer.influence", "parameters.influence"},
            LS_TR("Findings",
                "What a setting changes is the largest difference between the means of two of its values, each over "
                "all values of the others.")},
        {"method.seconds", {"scaling.time_to_accuracy"},
            LS_TR(
                "Findings", "Seconds to an accuracy are its steps at the typical time per step, without evaluations.")},
        {"method.waiting", {"aggregation.straggler", "answer.slow_rank"},
            LS_TR("Findings", "Waiting of a rank is the median over its steps.")},
        {"method.fit", {"collectives.fit"},
            LS_TR("Findings",
                "Time per message and bandwidth are fitted to all sizes; half of the measurements are within the given "
                "share.")},
        {"method.link", {"scaling.prediction"},
            LS_TR("Findings", "The link of a prediction was measured apart from training.")},
    };
    return Notes;
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

/// How many ranks there are, and which variants have others; nothing where the number is what varies.
void addRanks(std::span<const RunRecord> finished, std::vector<Finding>& notes)
{
    std::map<int, std::vector<std::string>> byRanks;
    for (const Group& group : groupsOf(finished, SameSeed::Each)) {
        byRanks[ranksOf(*group.runs.front())].push_back(group.name);
    }
    if (byRanks.empty()) {
        return;
    }
    const auto usual
        = std::ranges::max_element(byRanks, {}, [](const auto& each) { return each.second.size(); })->first;
    std::vector<std::string> others;
    for (const auto& [ranks, names] : byRanks) {
        if (ranks != usual) {
            std::ranges::transform(names, std::back_inserter(others),
                [&](const std::string& name) { return name + " (" + std::to_string(ranks) + ")"; });
        }
    }
    if (2 * others.size() > byRanks[usual].size()) {
        return;
    }
    notes.push_back({.kind = "method.ranks",
        .pattern = others.empty() ? LS_TR("Findings", "Number of ranks: %1.")
                                  : LS_TR("Findings", "Number of ranks: %1; others: %2."),
        .arguments = {std::to_string(usual), fewOf(others)}});
}

/// What the judgements of differences rest on.
void addJudgements(std::span<const Finding> said, std::vector<Finding>& notes)
{
    if (saysAny(said, {"worth naming", "cannot be told"})) {
        notes.push_back({.kind = "method.worth_naming",
            .pattern = LS_TR("Findings",
                "Worth naming: from one point of accuracies and shares on, 5 % of losses, 10 % of other figures. A "
                "difference cannot be told whose interval holds 0 and reaches beyond that.")});
    }
    if (hasAny(said, {"answer.best", "answer.tied", "optimizers.fewest", "optimizers.fast"})
        || saysAny(said, {"cannot be told from"})) {
        notes.push_back({.kind = "method.best",
            .pattern = LS_TR("Findings",
                "Which variant is best is judged by intervals that hold for all pairs of variants at once: they are "
                "wider than those in brackets.")});
    }
    if (std::ranges::any_of(said, [](const Finding& finding) {
            return finding.kind == "optimizers.not_learned" && finding.role == Role::Caveat;
        })) {
        notes.push_back({.kind = "method.not_learned",
            .pattern = LS_TR("Findings",
                "Times and bytes of variants that did not learn count, too: their steps do the same work.")});
    }
}

/// Of runs that took turns, and of pairs of one seed.
void addPairs(std::span<const RunRecord> counted, std::vector<Finding>& notes)
{
    const std::vector<Comparison> all = comparisons(counted);
    if (std::ranges::find(all, std::string_view("seed"), &Comparison::unit) != all.end()) {
        notes.push_back({.kind = "method.pairs",
            .pattern = LS_TR("Findings",
                "Ratios and differences are those of runs with the same seed, before rounding: their intervals can be "
                "narrower than those of both numbers.")});
    }
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
    std::ranges::copy_if(
        runs, std::back_inserter(counted), [](const RunRecord& run) { return run.status == RunStatus::Finished; });
    const std::vector<RunRecord> finished = counted;
    std::erase_if(counted, [](const RunRecord& run) { return experiment::isSweep(run.spec); });
    addRepeats(counted, notes);
    addRanks(finished, notes);
    addPairs(counted, notes);
    addJudgements(said, notes);
    for (const Note& note : notesOfKinds()) {
        if (hasAny(said, note.starts)) {
            notes.push_back({.kind = note.kind, .pattern = note.pattern});
        }
    }
    if (std::ranges::any_of(said, namesPart)) {
        notes.push_back({.kind = "method.part",
            .pattern = LS_TR("Findings", "In brackets behind a name, (1/3): of its 3 runs, in 1.")});
    }
    if (hasAny(said, {"aggregation.fastest"}) && std::ranges::any_of(counted, [](const RunRecord& run) {
            return is(run.spec, experiment::Rule::Median, experiment::Rule::TrimmedMean);
        })) {
        notes.push_back({.kind = "method.rule",
            .pattern = LS_TR(
                "Findings", "Communicating includes what a rule computes from the ranks' arrays, such as a median.")});
    }
    return notes;
}

} // namespace lockstep::analysis
