#include "analysis/answers/answers.h"

#include "analysis/answers/answer_parts.h"
#include "analysis/answers/learning.h"
#include "analysis/numbers.h"
#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace lockstep::analysis {

namespace {

enum class Asks {
    Nothing, ///< the findings of its laboratory answer it
    WhichIsBest, ///< by the training figure, then by the time
    WhatItCosts, ///< against the baseline: the time, then the training figure
    WhatItLoses, ///< against the baseline: the training figure alone
    WhatItSaves ///< against the baseline: memory, then the time
};

struct Topic {
    std::string_view experiment;
    Asks asks = Asks::WhichIsBest;
    std::vector<std::string_view> kinds{}; ///< further findings that answer it
};

const std::vector<Topic>& topics()
{
    using enum Asks;
    static const std::vector<Topic> All{
        {"optimizers", WhichIsBest,
            {"optimizers.fewest_steps", "optimizers.fewest_steps_tied", "optimizers.fastest",
                "optimizers.fastest_tied"}},
        {"aggregation", WhatItCosts, {"aggregation.straggler"}},
        {"backends", WhatItCosts},
        {"bucketing", WhatItCosts},
        {"mixed-precision", WhatItCosts},
        {"offload", WhatItSaves},
        {"sharding", WhatItSaves},
        {"model-parallel", WhatItSaves},
        {"partitioning", WhatItLoses, {"partitioning.alpha"}},
        {"scaling", Nothing, {"scaling.speed_up"}},
        {"collectives", Nothing, {"collectives.fastest"}},
    };
    return All;
}

const Topic& topicOf(std::string_view experiment)
{
    static const Topic Other{};
    const auto found = std::ranges::find(topics(), experiment, &Topic::experiment);
    return found == topics().end() ? Other : *found;
}

/// Empty where the runs are of several.
std::string_view experimentOf(std::span<const RunRecord> runs)
{
    const std::string& first = runs.front().spec.experiment;
    return std::ranges::all_of(runs, [&](const RunRecord& run) { return run.spec.experiment == first; })
        ? std::string_view(first)
        : std::string_view();
}

/// Takes the variants with a run of which `isSo` holds out of `groups`.
template <typename F>
std::vector<Group> takeOut(std::vector<Group>& groups, F isSo)
{
    const auto rest = std::ranges::stable_partition(groups, [&](const Group& group) {
        return std::ranges::none_of(group.runs, [&](const RunRecord* run) { return isSo(*run); });
    });
    std::vector<Group> out(rest.begin(), rest.end());
    groups.erase(rest.begin(), rest.end());
    return out;
}

Finding deadAnswer(std::string_view kind, std::string_view pattern, const std::vector<Group>& groups)
{
    Finding finding{
        .kind = kind, .pattern = pattern, .arguments = {listed(groups, &Group::name)}, .role = Role::Headline};
    for (const Group& group : groups) {
        finding.addRuns(group.ids());
    }
    return finding;
}

/// Whether all of them end at the loss of one who guesses.
bool areGuessing(const std::vector<Group>& groups)
{
    constexpr double About = 0.05;
    return std::ranges::all_of(groups, [](const Group& group) {
        return std::ranges::all_of(group.runs, [](const RunRecord* run) {
            return std::abs(lowestSmoothedLoss(*run) / lossOfGuessing(*run) - 1.0) < About;
        });
    });
}

/// Takes those that diverged or never learned out of `groups` and names them.
void sayDead(std::vector<Group>& groups, std::vector<Finding>& said)
{
    if (const auto diverged = takeOut(groups, hasDiverged); !diverged.empty()) {
        said.push_back(deadAnswer("answer.diverged",
            LS_TR("Findings", "Diverged: %1. The training loss grew without bound or became no number."), diverged));
    }
    const auto unlearned = takeOut(groups, [](const RunRecord& run) { return !hasLearned(run); });
    if (unlearned.empty()) {
        return;
    }
    const bool isGuess = areGuessing(unlearned);
    said.push_back(deadAnswer("optimizers.not_learned",
        isGuess ? LS_TR("Findings", "Did not learn: %1. The training loss stayed near %2, that of guessing.")
                : LS_TR("Findings", "Did not learn: %1. The training loss hardly fell."),
        unlearned));
    if (isGuess) {
        said.back().arguments.push_back(threeDigits(lossOfGuessing(*unlearned.front().runs.front())));
    }
}

RunPointers pointersOf(const std::vector<Group>& groups)
{
    RunPointers all;
    for (const Group& group : groups) {
        all.insert(all.end(), group.runs.begin(), group.runs.end());
    }
    return all;
}

/// Which is best; along one parameter how the figure moves; of several which matters.
void sayBest(const std::vector<Group>& groups, std::vector<Finding>& said)
{
    const Standing standing = standingOf(qualityFigure(groups), groups);
    if (standing.order.size() < 2) {
        return;
    }
    const std::vector<StudyParameter> parameters = studyParameters(pointersOf(groups));
    if (auto influence = influenceAnswer(*standing.figure, groups, parameters)) {
        said.push_back(std::move(*influence));
    }
    auto along = parameters.size() == 1 ? parameterAnswer(standing, parameters.front()) : std::nullopt;
    said.push_back(along ? std::move(*along) : rankingAnswer(standing));
}

void sayPace(const std::vector<Group>& groups, std::vector<Finding>& said)
{
    const Standing pace = standingOf(paceFigure(groups), groups);
    if (pace.order.size() < 2) {
        return;
    }
    Finding finding = rankingAnswer(pace);
    // That times cannot be told apart, or hardly differ, is no answer to what was not asked.
    if (finding.kind == "answer.best" || finding.kind == "answer.tied") {
        said.push_back(std::move(finding));
    }
}

void sayAgainst(const Figure* figure, const std::vector<Group>& groups, std::vector<Finding>& said)
{
    std::vector<std::string> names;
    std::ranges::transform(
        groups, std::back_inserter(names), [](const Group& group) { return group.runs.front()->spec.name; });
    if (figure == nullptr) {
        return;
    }
    if (auto finding = baselineAnswer(*figure, groups[experiment::baselineOf(names)], groups)) {
        said.push_back(std::move(*finding));
    }
}

} // namespace

std::vector<Finding> answers(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> training;
    std::ranges::copy_if(
        runs, std::back_inserter(training), [](const RunRecord& run) { return !experiment::isSweep(run.spec); });
    if (training.empty() || byDataSet(training).size() > 1) {
        return {};
    }
    std::vector<Group> groups = groupsOf(training);
    std::vector<Finding> dead;
    sayDead(groups, dead);
    const Asks asks = topicOf(experimentOf(training)).asks;
    std::vector<Finding> said;
    if (groups.size() > 1) {
        if (asks == Asks::WhichIsBest) {
            sayBest(groups, said);
            sayPace(groups, said);
        }
        if (asks == Asks::WhatItSaves) {
            sayAgainst(findFigure("peak_bytes"), groups, said);
        }
        if (asks == Asks::WhatItCosts || asks == Asks::WhatItSaves) {
            sayAgainst(&paceFigure(groups), groups, said);
        }
        if (asks == Asks::WhatItCosts || asks == Asks::WhatItLoses) {
            sayAgainst(&qualityFigure(groups), groups, said);
        }
    }
    // The best one first, then what is out of the comparison, then what it takes.
    said.insert(said.begin() + (said.empty() ? 0 : 1), dead.begin(), dead.end());
    said.resize(std::min(said.size(), MostHeadlines));
    return said;
}

bool isAnswerOf(std::string_view experiment, std::string_view kind)
{
    return std::ranges::find(topicOf(experiment).kinds, kind) != topicOf(experiment).kinds.end();
}

} // namespace lockstep::analysis
