#include "analysis/answers/learning.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::analysis {

namespace {

/// A count: 18, not 18.0, for a single run.
std::string countWithInterval(const PositiveInterval& interval)
{
    return interval.n == 1 && std::isfinite(interval.mean) ? grouped(std::llround(interval.mean))
                                                           : withInterval(interval);
}

/// Where the smoothed loss of one run first falls to the target.
struct Crossing {
    double step = NotMeasured;
    double epoch = NotMeasured;
    double seconds
        = NotMeasured; ///< that many steps of the typical time: without waits for other runs, evaluation and pauses
};

Crossing crossing(const RunRecord& run, double target)
{
    DebiasedAverage average(smoothingOf(run));
    const Curve& loss = run.loss;
    for (std::size_t i = 0; i < loss.value.size(); ++i) {
        if (average.add(loss.value[i]) <= target) {
            const auto step = static_cast<double>(loss.step[i]);
            return {step, loss.epoch[i], step * msPerStepOf(run.summary) / 1e3};
        }
    }
    return {};
}

/// The lowest loss that every run reaches, rounded up to two digits: a target that all reach.
double commonTarget(const std::vector<Group>& groups)
{
    double target = 0.0;
    for (const Group& group : groups) {
        for (const RunRecord* run : group.runs) {
            target = std::max(target, lowestSmoothedLoss(*run));
        }
    }
    if (!std::isfinite(target) || target <= 0.0) {
        return NotMeasured;
    }
    const double scale = std::pow(10.0, 1.0 - std::floor(std::log10(target)));
    return std::ceil(target * scale) / scale;
}

struct Measured {
    const Group* group = nullptr;
    PositiveInterval steps;
    PositiveInterval epochs;
    PositiveInterval seconds;
};

std::string counted(const Group& group)
{
    return std::to_string(group.runs.size());
}

Finding reachFinding(const Measured& measured, double target)
{
    const std::string steps = countWithInterval(measured.steps);
    return {.kind = "optimizers.to_loss",
        .pattern = steps == "1" ? LS_TR("Findings",
                       "%1 reaches a training loss of %2 with its first step, after %4 epochs and %5 s of steps (n = "
                       "%6; batch losses smoothed).")
                                : LS_TR("Findings",
                                    "%1 reaches a training loss of %2 after %3 steps, which are %4 epochs and take %5 "
                                    "s (n = %6; batch losses smoothed)."),
        .arguments = {measured.group->name, threeDigits(target), steps, withInterval(measured.epochs),
            withInterval(measured.seconds), counted(*measured.group)},
        .figures = {{"loss", target}, {"steps", measured.steps.mean}, {"epochs", measured.epochs.mean},
            {"seconds", measured.seconds.mean}, {"n", static_cast<double>(measured.group->runs.size())}},
        .runs = measured.group->ids()};
}

/// Of many variants one sentence for all.
constexpr std::size_t MostSentences = 6;

std::size_t fewestRuns(const std::vector<Group>& groups)
{
    return std::ranges::min(groups, {}, [](const Group& group) { return group.runs.size(); }).runs.size();
}

Finding reachesFinding(const std::vector<Measured>& all, const std::vector<Group>& groups, double target)
{
    Finding finding;
    finding.kind = "optimizers.to_loss";
    finding.pattern = LS_TR(
        "Findings", "Steps / epochs / seconds of steps to a training loss of %1 (n = %2; batch losses smoothed): %3.");
    std::string list;
    for (const Measured& each : all) {
        list += (list.empty() ? "" : ", ") + each.group->name + " " + countWithInterval(each.steps) + " / "
            + withInterval(each.epochs) + " / " + withInterval(each.seconds);
        finding.figures.emplace_back("steps_" + each.group->name, each.steps.mean);
        finding.figures.emplace_back("seconds_" + each.group->name, each.seconds.mean);
        finding.addRuns(each.group->ids());
    }
    finding.arguments = {threeDigits(target), std::to_string(fewestRuns(groups)), list};
    finding.figures.emplace_back("loss", target);
    return finding;
}

struct FastestPatterns {
    std::string_view one; ///< is first
    std::string_view kindOfSeveral;
    std::string_view several; ///< cannot be told apart, but from the others
};

/// `figure` of a run: what is compared. A winner is named only where it is apart from every other variant.
template <typename F>
void addFastest(std::vector<Finding>& out, const std::vector<Group>& groups, double target, F figure,
    std::string_view kind, const FastestPatterns& patterns)
{
    const Ranking ranking = lowestFirst(groups, figure);
    const PositiveInterval& ratio = ranking.secondToFirst;
    if (ranking.first == Apart::No && ranking.tied.size() + 1 < ranking.order.size()) {
        Finding finding{.kind = patterns.kindOfSeveral,
            .pattern = patterns.several,
            .arguments = {ranking.order[0]->name, threeDigits(target), listed(ranking.tied, &Group::name),
                std::to_string(ratio.n)},
            .figures = {{"loss", target}, {"tied", static_cast<double>(ranking.tied.size() + 1)},
                {"n", static_cast<double>(ratio.n)}},
            .runs = ranking.order[0]->ids()};
        for (const Group* group : ranking.tied) {
            finding.addRuns(group->ids());
        }
        out.push_back(std::move(finding));
    }
    if (ranking.first != Apart::Yes || threeDigits(ratio.mean) == threeDigits(1.0)) {
        return;
    }
    out.push_back({.kind = kind,
        .pattern = patterns.one,
        .arguments = {ranking.order[0]->name, threeDigits(target), withInterval(ratio), ranking.order[1]->name,
            std::to_string(ratio.n)},
        .figures = {{"loss", target}, {"ratio", ratio.mean}, {"ratio_low", ratio.low}, {"ratio_high", ratio.high},
            {"n", static_cast<double>(ratio.n)}},
        .runs = idsOf({ranking.order[0], ranking.order[1]})});
}

std::vector<Finding> speedFindings(std::vector<Group> groups)
{
    std::vector<Finding> out;
    // Every run has the loss of the first step: where none has learned, steps to it mean nothing.
    std::erase_if(groups, [](const Group& group) {
        return std::ranges::any_of(group.runs, [](const RunRecord* run) { return !hasLearned(*run); });
    });
    const double target = commonTarget(groups);
    if (!std::isfinite(target)) {
        return out;
    }
    std::vector<Measured> all;
    for (const Group& group : groups) {
        all.push_back({&group, group.geometric([&](const RunRecord& run) { return crossing(run, target).step; }),
            group.geometric([&](const RunRecord& run) { return crossing(run, target).epoch; }),
            group.geometric([&](const RunRecord& run) { return crossing(run, target).seconds; })});
    }
    if (all.size() > MostSentences) {
        out.push_back(reachesFinding(all, groups, target));
    } else {
        std::ranges::transform(
            all, std::back_inserter(out), [target](const Measured& each) { return reachFinding(each, target); });
    }
    addFastest(out, groups, target, [target](const RunRecord& run) { return crossing(run, target).step; },
        "optimizers.fewest_steps",
        {LS_TR("Findings", "In steps, %1 is the first to reach a loss of %2: %4 needs %3 times as many (n = %5)."),
            "optimizers.fewest_steps_tied",
            LS_TR("Findings",
                "In steps, these are the first to reach a loss of %2 and cannot be told apart: %1, %3. The others need "
                "more (n = %4).")});
    addFastest(out, groups, target, [target](const RunRecord& run) { return crossing(run, target).seconds; },
        "optimizers.fastest",
        {LS_TR("Findings", "In seconds, %1 is the first to reach a loss of %2: %4 takes %3 times as long (n = %5)."),
            "optimizers.fastest_tied",
            LS_TR("Findings",
                "In seconds, these are the first to reach a loss of %2 and cannot be told apart: %1, %3. The others "
                "take longer (n = %4).")});
    return out;
}

/// The loss that is said beside an accuracy.
struct LossFigure {
    double Summary::*member;
    std::string_view sentence;
    std::string_view list;
};

/// The training loss, if every run has measured it; else that of the last batch, by its name.
const LossFigure& lossFigure(const std::vector<Group>& groups)
{
    static constexpr LossFigure OfTraining{&Summary::trainLoss,
        LS_TR("Findings", "%1 reaches a test accuracy of %2 (best %3) with a training loss of %4 (n = %5)."),
        LS_TR("Findings", "Test accuracy / best test accuracy / training loss (n = %1): %2.")};
    static constexpr LossFigure OfBatch{&Summary::finalLoss,
        LS_TR("Findings", "%1 reaches a test accuracy of %2 (best %3); the loss of its last batch is %4 (n = %5)."),
        LS_TR("Findings", "Test accuracy / best test accuracy / loss of the last batch (n = %1): %2.")};
    return std::ranges::all_of(
               groups, [](const Group& group) { return isMeasured(group.runs, figureOf(OfTraining.member)); })
        ? OfTraining
        : OfBatch;
}

Finding accuracyFinding(const Group& group, const LossFigure& figure)
{
    const auto textOf = [&group](double Summary::*member) { return estimateText(member, group.runs); };
    const auto meanOf = [&group](double Summary::*member) { return estimateOf(member, group.runs).mean; };
    return {.kind = "optimizers.accuracy",
        .pattern = figure.sentence,
        .arguments = {group.name, textOf(&Summary::testAccuracy), textOf(&Summary::bestTestAccuracy),
            textOf(figure.member), counted(group)},
        .figures = {{"test_accuracy", meanOf(&Summary::testAccuracy)},
            {"best_test_accuracy", meanOf(&Summary::bestTestAccuracy)},
            {std::string(figureOf(figure.member).name), meanOf(figure.member)},
            {"n", static_cast<double>(group.runs.size())}},
        .runs = group.ids()};
}

Finding accuraciesFinding(const std::vector<Group>& groups, const LossFigure& figure)
{
    Finding finding;
    finding.kind = "optimizers.accuracy";
    finding.pattern = figure.list;
    std::string list;
    for (const Group& group : groups) {
        list += (list.empty() ? "" : ", ") + group.name + " " + estimateText(&Summary::testAccuracy, group.runs) + " / "
            + estimateText(&Summary::bestTestAccuracy, group.runs) + " / " + estimateText(figure.member, group.runs);
        finding.figures.emplace_back(
            "test_accuracy_" + group.key, estimateOf(&Summary::testAccuracy, group.runs).mean);
        finding.figures.emplace_back(
            std::string(figureOf(figure.member).name) + "_" + group.key, estimateOf(figure.member, group.runs).mean);
        finding.addRuns(group.ids());
    }
    finding.arguments = {std::to_string(fewestRuns(groups)), list};
    return finding;
}

void addAccuracies(std::vector<Finding>& out, std::vector<Group> groups)
{
    std::erase_if(groups, [](const Group& group) { return estimateOf(&Summary::testAccuracy, group.runs).n == 0; });
    const LossFigure& figure = lossFigure(groups);
    if (groups.size() > MostSentences) {
        out.push_back(accuraciesFinding(groups, figure));
    } else {
        std::ranges::transform(
            groups, std::back_inserter(out), [&figure](const Group& group) { return accuracyFinding(group, figure); });
    }
}

/// Gradient descent processes a whole epoch in each step: reported if another optimizer is compared with it.
void addWholeBatchCost(std::vector<Finding>& out, const std::vector<Group>& groups)
{
    const auto isGd = [](const Group& group) { return is(group.runs.front()->spec, experiment::OptimizerName::Gd); };
    const auto gd = std::find_if(groups.begin(), groups.end(), isGd);
    const auto other = std::find_if_not(groups.begin(), groups.end(), isGd);
    if (gd == groups.end() || other == groups.end()) {
        return;
    }
    const MeanEstimate slow = estimateOf(&Summary::msPerStepTypical, gd->runs);
    const MeanEstimate fast = estimateOf(&Summary::msPerStepTypical, other->runs);
    const auto logMs = [](const RunRecord& run) { return std::log(msPerStepOf(run.summary)); };
    if (!(slow.mean > fast.mean) || !(fast.mean > 0.0) || isApart(differenceOf(*gd, *other, logMs)) == Apart::No) {
        return;
    }
    out.push_back({.kind = "optimizers.whole_batch_cost",
        .pattern = LS_TR("Findings",
            "One step of %1 uses the whole training set and takes %2 ms, a step of %3 takes %4 ms: %3 takes %5 steps "
            "in the time of one %1 step (n = %6)."),
        .arguments = {gd->name, withInterval(slow), other->name, withInterval(fast), threeDigits(slow.mean / fast.mean),
            counted(*gd)},
        .figures = {{"whole_batch_ms", slow.mean}, {"batch_ms", fast.mean}, {"ratio", slow.mean / fast.mean}},
        .runs = gd->ids()});
}

void addOneRepeatWarning(std::vector<Finding>& out, const std::vector<Group>& groups)
{
    const bool single
        = std::all_of(groups.begin(), groups.end(), [](const Group& group) { return group.runs.size() == 1; });
    if (groups.size() < 2 || !single) {
        return;
    }
    out.push_back({.kind = "optimizers.one_repeat",
        .pattern = LS_TR("Findings",
            "Each variant ran once, so small differences may be chance. Add repeats to get confidence intervals."),
        .figures = {{"n", 1.0}}});
}

} // namespace

std::vector<Finding> optimizerFindings(std::span<const RunRecord> runs)
{
    std::vector<Finding> out;
    // A loss says how well one data set is learned: it is not ranked against that of another.
    for (const std::vector<RunRecord>& ofOneSet : byDataSet(runs)) {
        const std::vector<Group> groups = groupsOf(ofOneSet);
        const std::vector<Finding> speeds = speedFindings(groups);
        out.insert(out.end(), speeds.begin(), speeds.end());
        addAccuracies(out, groups);
        addWholeBatchCost(out, groups);
        addOneRepeatWarning(out, groups);
    }
    return out;
}

} // namespace lockstep::analysis
