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

/// Whether it fell to half of the first loss.
bool isHalfWay(const RunRecord* run)
{
    return run->loss.value.empty() || lowestSmoothedLoss(*run) <= run->loss.value.front() / 2.0;
}

/// How much the batch loss scatters about its trend, as a relative standard deviation: from each step's distance to the
/// mean of its neighbours, of which a straight trend has none, and which scatters by sqrt(3 / 2) times as much.
double noiseOf(const RunRecord& run)
{
    const std::vector<double>& loss = run.loss.value;
    double sum = 0.0;
    std::size_t steps = 0;
    for (std::size_t i = 1; i + 1 < loss.size(); ++i) {
        const double away = std::log(loss[i]) - (std::log(loss[i - 1]) + std::log(loss[i + 1])) / 2.0;
        if (std::isfinite(away)) {
            sum += away * away;
            ++steps;
        }
    }
    return steps > 0 ? std::sqrt(sum / (1.5 * static_cast<double>(steps))) : NotMeasured;
}

struct Measured {
    const Group* group = nullptr;
    PositiveInterval steps;
    PositiveInterval epochs;
    PositiveInterval seconds;
    double noise = NotMeasured;
};

/// What is typical of each: a row a variant.
Finding reachesFinding(const std::vector<Measured>& all, double target)
{
    Finding finding{.kind = "optimizers.to_loss",
        .pattern = std::ranges::all_of(all, [](const Measured& each) { return std::isfinite(each.steps.mean); })
            ? LS_TR("Findings", "What each variant needs to reach a training loss of %1.")
            : LS_TR("Findings", "What each variant needs to reach a training loss of %1; – if it does not."),
        .arguments = {threeDigits(target)},
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Steps"), LS_TR("Findings", "Epochs"),
                      LS_TR("Findings", "Seconds"), LS_TR("Findings", "Noise of the batch loss"),
                      LS_TR("Findings", "Training loss"), LS_TR("Findings", "Test accuracy")},
            {}},
        .figures = {{"loss", target}}};
    const Figure& lossFigure = *findFigure("train_loss");
    for (const Measured& each : all) {
        const Group& group = *each.group;
        finding.table.rows.push_back(
            {group.name, countWithInterval(each.steps), withInterval(each.epochs), withInterval(each.seconds),
                percent(each.noise), estimateText(lossFigure, estimateOf(lossFigure, group.runs)),
                estimateText(&Summary::testAccuracy, group.runs)});
        for (const auto& [name, value] : {std::pair("steps_", each.steps.mean), std::pair("epochs_", each.epochs.mean),
                 std::pair("seconds_", each.seconds.mean), std::pair("noise_", each.noise)}) {
            finding.figures.emplace_back(name + group.key, value);
        }
        finding.addRuns(group.ids());
    }
    return finding;
}

/// Whose batch loss scatters most, and least.
void addNoise(std::vector<Finding>& out, const std::vector<Measured>& all)
{
    constexpr double Visibly = 1.5; // times
    const auto [least, most] = std::ranges::minmax_element(all, {}, &Measured::noise);
    if (all.size() < 2 || !(least->noise > 0.0) || !(most->noise > Visibly * least->noise)) {
        return;
    }
    // One of several that scatter alike is not the first of them.
    const bool isOnlyMost
        = std::ranges::count_if(all, [&](const Measured& each) { return Visibly * each.noise >= most->noise; }) == 1;
    const bool isOnlyLeast
        = std::ranges::count_if(all, [&](const Measured& each) { return each.noise <= Visibly * least->noise; }) == 1;
    if (!isOnlyMost && !isOnlyLeast) {
        return;
    }
    const std::string_view both = LS_TR("Findings",
        "The batch loss of %1 scatters most about its trend, by %2; that of %3 least, by "
        "%4.");
    const std::string_view onlyMost
        = LS_TR("Findings", "The batch loss of %1 scatters most about its trend, by %2; that of others by %4 or more.");
    const std::string_view onlyLeast
        = LS_TR("Findings", "The batch loss of %3 scatters least about its trend, by %4; that of others by up to %2.");
    out.push_back({.kind = "optimizers.noise",
        .pattern = isOnlyMost && isOnlyLeast ? both
            : isOnlyMost                     ? onlyMost
                                             : onlyLeast,
        .arguments = {most->group->name, percent(most->noise), least->group->name, percent(least->noise)},
        .figures = {{"most", most->noise}, {"least", least->noise}},
        .runs = idsOf({most->group, least->group})});
}

struct FastestPatterns {
    std::string_view one; ///< is first
    std::string_view oneOfMany; ///< the same of more than two, with the last
    std::string_view kindOfSeveral;
    std::string_view several; ///< cannot be told from the first, but the others can
    std::string_view inEveryRun; ///< one is first, not for sure
};

/// `figure` of a run: what is compared. A winner is named only where it is apart from every other variant.
template <typename F>
void addFastest(std::vector<Finding>& out, const std::vector<Group>& groups, double target, F figure,
    std::string_view kind, const FastestPatterns& patterns)
{
    const Ranking ranking = lowestFirst(groups, figure);
    const PositiveInterval& ratio = ranking.secondToFirst;
    if (ranking.first == Apart::No && ranking.tied.size() < ranking.order.size()) {
        std::vector<const Group*> later = ranking.order;
        std::erase_if(
            later, [&](const Group* group) { return std::ranges::find(ranking.tied, group) != ranking.tied.end(); });
        const std::vector<const Group*> beside(ranking.tied.begin() + 1, ranking.tied.end());
        Finding finding{.kind = patterns.kindOfSeveral,
            .pattern = beside.empty() ? patterns.inEveryRun : patterns.several,
            .arguments
            = {ranking.order[0]->name, threeDigits(target), fewOf(later, &Group::name), fewOf(beside, &Group::name)},
            .figures = {{"loss", target}, {"tied", static_cast<double>(ranking.tied.size())},
                {"n", static_cast<double>(ratio.n)}}};
        for (const Group* group : ranking.tied) {
            finding.addRuns(group->ids());
        }
        out.push_back(std::move(finding));
    }
    if (ranking.first != Apart::Yes || threeDigits(ratio.mean) == threeDigits(1.0)) {
        return;
    }
    out.push_back({.kind = kind,
        .pattern = ranking.order.size() > 2 ? patterns.oneOfMany : patterns.one,
        .arguments = {ranking.order[0]->name, threeDigits(target), withInterval(ratio), ranking.order[1]->name,
            withInterval(ranking.lastToFirst), ranking.order.back()->name},
        .figures = {{"loss", target}, {"ratio", ratio.mean}, {"ratio_low", ratio.low}, {"ratio_high", ratio.high},
            {"n", static_cast<double>(ratio.n)}},
        .runs = idsOf({ranking.order[0], ranking.order[1]})});
}

std::vector<Finding> speedFindings(std::vector<Group> groups, bool areTimesAsked)
{
    std::vector<Finding> out;
    // Every run has the loss of the first step: where none has learned, steps to it mean nothing.
    const auto unlearned = std::ranges::stable_partition(groups, [](const Group& group) {
        return std::ranges::all_of(group.runs, [](const RunRecord* run) { return hasLearned(*run); });
    });
    const std::vector<Group> others(unlearned.begin(), unlearned.end());
    groups.erase(unlearned.begin(), unlearned.end());
    // Nor do steps to a loss that is little lower than the first, where others reach a much lower one.
    std::vector<Group> fastGroups = groups;
    std::erase_if(fastGroups, [](const Group& group) { return !std::ranges::all_of(group.runs, isHalfWay); });
    if (fastGroups.size() < 2) {
        fastGroups = groups;
    }
    const double target = commonTarget(fastGroups);
    if (!std::isfinite(target)) {
        return out;
    }
    std::vector<Measured> all;
    for (const Group& group : groups) {
        all.push_back({&group, group.geometric([&](const RunRecord& run) { return crossing(run, target).step; }),
            group.geometric([&](const RunRecord& run) { return crossing(run, target).epoch; }),
            group.geometric([&](const RunRecord& run) { return crossing(run, target).seconds; }),
            group.mean(noiseOf).mean});
    }
    if (!areTimesAsked) {
        addNoise(out, all);
    }
    for (const Group& group : others) { // a row, although no steps
        const PositiveInterval never{.mean = NotMeasured};
        all.push_back({&group, never, never, never, group.mean(noiseOf).mean});
    }
    out.insert(out.begin(), reachesFinding(all, target));
    if (areTimesAsked) {
        return out;
    }
    addFastest(out, fastGroups, target, [target](const RunRecord& run) { return crossing(run, target).step; },
        "optimizers.fewest_steps",
        {LS_TR("Findings", "In steps, %1 is the first to reach a loss of %2: %4 needs %3 times as many."),
            LS_TR("Findings", "In steps, %1 first reaches a loss of %2: %4 needs %3 times as many, %6 %5 times."),
            "optimizers.fewest_steps_tied",
            LS_TR("Findings",
                "In steps to a loss of %2, the best mean is that of %1, which cannot be told from %4. More: %3."),
            LS_TR("Findings",
                "In steps to a loss of %2, best in every run is %1, but these runs cannot tell that for sure.")});
    addFastest(out, fastGroups, target, [target](const RunRecord& run) { return crossing(run, target).seconds; },
        "optimizers.fastest",
        {LS_TR("Findings", "In seconds, %1 is the first to reach a loss of %2: %4 takes %3 times as long."),
            LS_TR("Findings", "In seconds, %1 first reaches a loss of %2: %4 takes %3 times as long, %6 %5 times."),
            "optimizers.fastest_tied",
            LS_TR("Findings",
                "In seconds to a loss of %2, the best mean is that of %1, which cannot be told from %4. Slower: %3."),
            LS_TR("Findings",
                "In seconds to a loss of %2, best in every run is %1, but these runs cannot tell that for sure.")});
    return out;
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
        .pattern = LS_TR("Findings", "A step of %1 uses the whole training set: %2 takes %3 steps in its time."),
        .arguments = {gd->name, other->name, threeDigits(slow.mean / fast.mean)},
        .figures = {{"whole_batch_ms", slow.mean}, {"batch_ms", fast.mean}, {"ratio", slow.mean / fast.mean}},
        .runs = idsOf({&*gd, &*other})});
}

} // namespace

std::vector<Finding> oneRepeatFindings(std::span<const RunRecord> runs, bool haveIntervals)
{
    std::vector<Finding> said;
    for (const std::vector<RunRecord>& ofOneSet : byDataSet(runs)) {
        const std::vector<Group> groups = groupsOf(ofOneSet);
        if (groups.size() < 2
            || !std::ranges::all_of(groups, [](const Group& group) { return group.runs.size() == 1; })) {
            continue;
        }
        said.push_back({.kind = "optimizers.one_repeat",
            .pattern = haveIntervals
                ? LS_TR("Findings",
                    "Each variant ran once: the intervals show how much parts of one run differ, not how much runs do.")
                : LS_TR("Findings",
                    "Each variant ran once, so small differences may be chance. Add repeats to get confidence "
                    "intervals."),
            .figures = {{"n", 1.0}}});
        for (const Group& group : groups) {
            said.back().addRuns(group.ids());
        }
    }
    return said;
}

std::vector<Finding> optimizerFindings(std::span<const RunRecord> runs, bool areTimesAsked)
{
    std::vector<Finding> out;
    // A loss says how well one data set is learned: it is not ranked against that of another.
    for (const std::vector<RunRecord>& ofOneSet : byDataSet(runs)) {
        const std::vector<Group> groups = groupsOf(ofOneSet);
        const std::vector<Finding> speeds = speedFindings(groups, areTimesAsked);
        out.insert(out.end(), speeds.begin(), speeds.end());
        if (!areTimesAsked) {
            addWholeBatchCost(out, groups);
        }
    }
    return out;
}

} // namespace lockstep::analysis
