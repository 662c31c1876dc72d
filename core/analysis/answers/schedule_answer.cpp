#include "analysis/answers/answer_parts.h"
#include "analysis/numbers.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

std::string_view warmUpPattern(Certainty certainty, bool isLower)
{
    if (certainty == Certainty::Apart) {
        return isLower
            ? LS_TR("Findings", "%2 helped: %1 is %3. With %4, the same schedule without it, it is %5.")
            : LS_TR("Findings", "%2 did not help: %1 is %3. With %4, the same schedule without it, it is %5.");
    }
    return certainty == Certainty::Close
        ? LS_TR("Findings",
            "%2 did not help: %1 is %3. With %4, the same schedule without it, it is %5: no difference worth naming.")
        : LS_TR(
            "Findings", "Whether %2 helped cannot be told: %1 is %3. With %4, the same schedule without it, it is %5.");
}

} // namespace

Finding scheduleAnswer(const Standing& standing)
{
    const Group& best = *standing.order.front();
    if (standing.order.size() < 3 || !standing.isEvery(Certainty::Apart) || isHighestBest(*standing.figure)
        || !is(best.runs.front()->spec, experiment::LrSchedule::Constant)) {
        return rankingAnswer(standing);
    }
    Finding finding = rankingAnswer(standing);
    finding.pattern = LS_TR("Findings",
        "The learning rate need not fall here: %1 is lowest with %2, %3. The others have %4 to %5 times that.");
    std::vector<double> times;
    for (const Group* other : standing.order) {
        if (other != &best) {
            times.push_back(1.0 + differenceOf(*standing.figure, best.runs, other->runs).difference);
        }
    }
    const auto [least, most] = std::ranges::minmax(times);
    finding.arguments.resize(3);
    finding.arguments.push_back(threeDigits(least));
    finding.arguments.push_back(threeDigits(most));
    return finding;
}

std::optional<Finding> warmUpAnswer(const Figure& figure, const std::vector<Group>& groups)
{
    for (const Group& group : groups) {
        const auto without = std::ranges::find_if(groups, [&](const Group& other) {
            return other.runs.front()->spec.settings->optimizer.warmup == 0
                && differOnlyIn(group, other, {nameOf(&experiment::OptimizerSettings::warmup)});
        });
        if (group.runs.front()->spec.settings->optimizer.warmup == 0 || without == groups.end()) {
            continue;
        }
        const FigureDifference difference = differenceOf(figure, without->runs, group.runs);
        Finding finding = headlineOf(
            "answer.warm_up", warmUpPattern(certaintyOf(figure, difference), difference.difference < 0.0), figure);
        for (const std::string& argument : {group.name, valueText(figure, estimateOf(figure, group.runs).mean),
                 without->name, valueText(figure, estimateOf(figure, without->runs).mean)}) {
            finding.arguments.push_back(argument);
        }
        finding.figures = {{std::string(figure.name) + "_difference", difference.difference}};
        finding.runs = idsOf({&*without, &group});
        return finding;
    }
    return std::nullopt;
}

} // namespace lockstep::analysis
