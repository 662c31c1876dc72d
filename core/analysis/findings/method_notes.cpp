#include "analysis/findings/method_notes.h"

#include "analysis/figures/comparison.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <iterator>
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
        {"method.memory", {"memory.least_states", "model_parallel.cost"},
            LS_TR("Findings",
                "Peak memory counts all tensors of a rank: parameters, gradients and optimizer state, activations, "
                "data and buffers.")},
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
        {"method.theory", {"collectives.theory"},
            LS_TR("Findings",
                "Messages and bytes are those of the longest chain of messages that wait for one another in a call.")},
        {"method.link", {"scaling.prediction"},
            LS_TR("Findings", "The link of a prediction was measured apart from training.")},
    };
    return Notes;
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

/// What the judgements of differences rest on.
void addJudgements(std::span<const Finding> said, std::vector<Finding>& notes)
{
    if (saysAny(said, {"worth naming"})) {
        notes.push_back({.kind = "method.worth_naming",
            .pattern = LS_TR("Findings",
                "A difference is worth naming from one point of an accuracy or a share on, 5 % of a loss, 10 % of "
                "anything else.")});
    }
    if (saysAny(said, {"cannot be told", "cannot tell", "can be told"})) {
        notes.push_back({.kind = "method.cannot_be_told",
            .pattern = LS_TR(
                "Findings", "Cannot be told: the 95 % interval contains both no difference and one worth naming.")});
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
void addPairs(std::span<const Finding> said, std::span<const RunRecord> counted, std::vector<Finding>& notes)
{
    const std::vector<Comparison> all = comparisons(counted);
    if (std::ranges::find(all, std::string_view("seed"), &Comparison::unit) != all.end()) {
        notes.push_back({.kind = "method.pairs",
            .pattern = LS_TR("Findings",
                "Ratios and differences are those of runs with the same seed, before rounding: their intervals can be "
                "narrower than those of both numbers.")});
    }
    const auto inTurns = std::ranges::find(all, std::string_view("block"), &Comparison::unit);
    if (inTurns != all.end() && (hasIntervals(said) || hasAny(said, {"timing."}))) {
        notes.push_back({.kind = "method.turns",
            .pattern = LS_TR("Findings",
                "Runs took turns: their times are compared in %1 blocks of steps each, on the "
                "log scale."),
            .arguments = {std::to_string(inTurns->difference.n)}});
    }
}

} // namespace

bool hasIntervals(std::span<const Finding> said)
{
    const auto has = [](const std::string& text) { return text.find(" [") != std::string::npos; };
    return std::ranges::any_of(said, [&](const Finding& finding) {
        return std::ranges::any_of(finding.arguments, has)
            || std::ranges::any_of(finding.table.rows, [&](const auto& row) { return std::ranges::any_of(row, has); });
    });
}

std::vector<Finding> methodNotes(std::span<const Finding> said, std::span<const RunRecord> runs)
{
    std::vector<Finding> notes;
    if (said.empty()) {
        return notes;
    }
    std::vector<RunRecord> counted;
    std::ranges::copy_if(
        runs, std::back_inserter(counted), [](const RunRecord& run) { return run.status == RunStatus::Finished; });
    std::erase_if(counted, [](const RunRecord& run) { return experiment::isSweep(run.spec); });
    addRepeats(counted, notes);
    addPairs(said, counted, notes);
    addJudgements(said, notes);
    for (const Note& note : notesOfKinds()) {
        if (hasAny(said, note.starts)) {
            notes.push_back({.kind = note.kind, .pattern = note.pattern});
        }
    }
    if (hasAny(said, {"aggregation.fastest"}) && std::ranges::any_of(counted, [](const RunRecord& run) {
            return is(run.spec, experiment::Rule::Median, experiment::Rule::TrimmedMean);
        })) {
        notes.push_back({.kind = "method.rule",
            .pattern = LS_TR(
                "Findings", "Communicating includes what a rule computes from the ranks' arrays, such as a median.")});
    }
    if (std::ranges::any_of(counted, [](const RunRecord& run) {
            return is(run.spec, experiment::PartitionName::Contiguous) && run.summary.labelSkew == 0.0;
        })) {
        notes.push_back({.kind = "method.contiguous",
            .pattern
            = LS_TR("Findings", "Contiguous parts have the same labels here: in this data set the labels alternate.")});
    }
    const std::vector<Group> groups = groupsOf(counted);
    if (hasAny(said, {"aggregation.fastest", "answer.communication"}) && byMessages(groups).size() < groups.size()) {
        notes.push_back({.kind = "method.same_messages",
            .pattern = LS_TR("Findings",
                "Variants that send the same messages are taken together where times of communicating are compared.")});
    }
    if (hasAny(said, {"collectives.theory"}) && std::ranges::any_of(runs, [](const RunRecord& run) {
            return is(run.spec, experiment::Algorithm::AllReduce);
        })) {
        notes.push_back({.kind = "method.all_reduce",
            .pattern = LS_TR("Findings",
                "All-reduce is the backend's own algorithm: theory takes it for a ring. The others are all-reduces "
                "built from messages.")});
    }
    if (std::ranges::any_of(
            counted, [](const RunRecord& run) { return is(run.spec, experiment::Algorithm::ParameterServerAsync); })) {
        notes.push_back({.kind = "method.async_step",
            .pattern = LS_TR("Findings",
                "A step of an asynchronous server is one gradient of each rank; it updates the weights after each of "
                "these. Its steps are compared with those of no other variant.")});
    }
    return notes;
}

} // namespace lockstep::analysis
