#include "analysis/answers/answer_parts.h"
#include "analysis/answers/learning.h"
#include "analysis/numbers.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::analysis {

namespace {

/// Takes the variants with a run of which `isSo` holds out of `groups`.
template <typename F>
std::vector<Group> takeOut(std::vector<Group>& groups, F isSo)
{
    const auto rest = std::stable_partition(groups.begin(), groups.end(), [&](const Group& group) {
        return std::ranges::none_of(group.runs, [&](const RunRecord* run) { return isSo(*run); });
    });
    std::vector<Group> out(rest, groups.end());
    groups.erase(rest, groups.end());
    return out;
}

/// `isSo`: why the variants are out; those with other repeats have `(1/3)` behind their names, for sentence().
template <typename F>
Finding deadAnswer(std::string_view kind, std::string_view pattern, const std::vector<Group>& groups, F isSo)
{
    const auto named = [&](const Group& group) {
        const auto some = std::ranges::count_if(group.runs, [&](const RunRecord* run) { return isSo(*run); });
        const auto all = std::ssize(group.runs);
        return some == all ? group.name : group.name + " (" + std::to_string(some) + "/" + std::to_string(all) + ")";
    };
    Finding finding{.kind = kind, .pattern = pattern, .arguments = {fewOf(groups, named)}, .role = Role::Headline};
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

} // namespace

RunPointers pointersOf(const std::vector<Group>& groups)
{
    RunPointers all;
    for (const Group& group : groups) {
        all.insert(all.end(), group.runs.begin(), group.runs.end());
    }
    return all;
}

std::vector<Group> takeOutDiverged(std::vector<Group>& groups, std::vector<Finding>& said)
{
    std::vector<Group> diverged = takeOut(groups, hasDiverged);
    if (!diverged.empty()) {
        said.push_back(deadAnswer("answer.diverged",
            LS_TR("Findings", "Diverged: %1. The training loss grew without bound, or became infinite or NaN."),
            diverged, hasDiverged));
    }
    return diverged;
}

void takeOutUnlearned(std::vector<Group>& groups, std::vector<Finding>& said)
{
    const auto unlearned = takeOut(groups, [](const RunRecord& run) { return !hasLearned(run); });
    if (unlearned.empty()) {
        return;
    }
    const bool isGuess = areGuessing(unlearned);
    bool isByLoss = true;
    bool haveGrown = true;
    double bound = std::numeric_limits<double>::infinity();
    for (const RunRecord* run : pointersOf(unlearned)) {
        if (!hasLearned(*run)) {
            isByLoss = isByLoss && !hasLoweredLoss(*run);
            haveGrown = haveGrown && hasGrownInBetween(*run);
            bound = std::min(bound, learnedBelow(*run));
        }
    }
    const bool areAll = groups.empty() && unlearned.size() > MostNamed
        && std::ranges::none_of(pointersOf(unlearned), [](const RunRecord* run) { return hasLearned(*run); });
    said.push_back(deadAnswer("optimizers.not_learned",
        areAll && isGuess
            ? LS_TR("Findings", "None of the %3 variants learned. The training loss stayed near %2, that of guessing.")
            : areAll                ? LS_TR("Findings",
                                 "None of the %3 variants learned much. The training loss or the test accuracy stayed near that of "
                                                "the start.")
            : haveGrown && isByLoss ? LS_TR("Findings",
                  "Did not learn: %1. The training loss grew more than tenfold, and ended near that of the start.")
            : isGuess  ? LS_TR("Findings", "Did not learn: %1. The training loss stayed near %2, that of guessing.")
            : isByLoss ? LS_TR(
                  "Findings", "Hardly learned: %1. The training loss ended above %2, nine tenths of that at the start.")
                       : LS_TR("Findings",
                           "Hardly learned: %1. The training loss or the test accuracy stayed near that of guessing."),
        unlearned, [](const RunRecord& run) { return !hasLearned(run); }));
    said.back().arguments.push_back(threeDigits(isGuess ? lossOfGuessing(*unlearned.front().runs.front()) : bound));
    if (areAll) {
        said.back().arguments.push_back(std::to_string(unlearned.size()));
    }
}

} // namespace lockstep::analysis
