#include "analysis/answers/answer_parts.h"
#include "analysis/figures/comparison.h"
#include "analysis/numbers.h"
#include "base/translate.h"
#include "experiment/choices.h"
#include "plan/net.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace lockstep::analysis {

namespace {

double weightsOf(const Group& group)
{
    return static_cast<double>(plan::parametersOf(plan::netUnits(group.runs.front()->spec)));
}

bool isOfUnknownNet(const Group& group)
{
    return !haveSameNet(*group.runs.front(), *group.runs.front());
}

enum class Change { Less, Same, More, Unknown };

/// What a variant takes of a figure, against the baseline. `figure`: the less the better, or a throughput.
struct Cost {
    FigureDifference difference; ///< of what it takes: of a throughput as if of the time
    Change change = Change::Unknown;

    [[nodiscard]] bool isKnown() const { return std::isfinite(difference.difference); }
    [[nodiscard]] std::string times() const
    {
        return timesText(1.0 + difference.difference, 1.0 + difference.low, 1.0 + difference.high);
    }
};

Cost costOf(const Figure& figure, const Group& baseline, const Group& group)
{
    Cost cost{differenceOf(figure, baseline.runs, group.runs)};
    const Certainty certainty = certaintyOf(figure, cost.difference);
    if (isHighestBest(figure)) {
        cost.difference = cost.difference.inverse();
    }
    cost.change = certainty == Certainty::Unknown ? Change::Unknown
        : certainty == Certainty::Close           ? Change::Same
        : cost.difference.difference < 0.0        ? Change::Less
                                                  : Change::More;
    return cost;
}

std::string peakText(const Group& group)
{
    const Figure& memory = *findFigure("peak_bytes");
    return valueText(memory, estimateOf(memory, group.runs).mean);
}

/// That a variant saves no time, with what it takes; nothing where it may save some.
std::optional<Finding> gainsNothing(const Figure& pace, const Group& baseline, const Group& group)
{
    const Cost time = costOf(pace, baseline, group);
    const Cost memory = costOf(*findFigure("peak_bytes"), baseline, group);
    if (time.change == Change::Less || time.change == Change::Unknown) {
        return std::nullopt;
    }
    const bool isSlower = time.change == Change::More;
    const bool isNothing = memory.change == Change::Same || (isSlower && memory.change == Change::More);
    return Finding{.kind = "answer.saves_no_time",
        .pattern = isNothing ? (isSlower ? LS_TR("Findings",
                                    "%1 gained nothing here: a step takes %3 times as long as with %2. Peak memory "
                                    "is %4 instead of %5.")
                                         : LS_TR("Findings",
                                             "%1 gained nothing here: no difference worth naming from %2 in time per "
                                             "step. Peak memory is %4 instead of %5."))
            : isSlower
            ? LS_TR("Findings", "%1 gained no time here: a step takes %3 times as long as with %2.")
            : LS_TR("Findings", "%1 gained no time here: no difference worth naming from %2 in time per step."),
        .arguments = {group.name, baseline.name, time.times(), peakText(group), peakText(baseline)},
        .figures = {{"times_" + group.key, 1.0 + time.difference.difference}},
        .runs = idsOf({&baseline, &group}),
        .role = Role::Headline};
}

std::string_view leastMemoryPattern(const Cost& time, bool isTimeSaid)
{
    if (!isTimeSaid) {
        return LS_TR("Findings", "Least peak memory per rank: %2 with %1, instead of %3 with %4.");
    }
    switch (time.change) {
    case Change::Same:
        return LS_TR("Findings",
            "Least peak memory per rank: %2 with %1, instead of %3 with %4; no difference worth naming in time per "
            "step.");
    case Change::Unknown:
        return time.difference.hasInterval() ? LS_TR("Findings",
                   "Least peak memory per rank: %2 with %1, instead of %3 with %4. Whether a step takes longer cannot "
                   "be told: "
                   "%5 times.")
                                             : LS_TR("Findings",
                                                 "Least peak memory per rank: %2 with %1, instead of %3 with %4. A "
                                                 "step takes %5 times as long, in one run "
                                                 "each.");
    case Change::Less:
    case Change::More:
        break;
    }
    return LS_TR(
        "Findings", "Least peak memory per rank: %2 with %1, instead of %3 with %4; a step takes %5 times as long.");
}

/// `0.780 [0.734, 0.829]` of one, `0.655 – 0.813` of several.
std::string timesOf(const std::vector<Cost>& costs)
{
    if (costs.size() == 1) {
        return costs.front().times();
    }
    const auto [least, most]
        = std::ranges::minmax(costs, {}, [](const Cost& cost) { return cost.difference.difference; });
    const std::string low = threeDigits(1.0 + least.difference.difference);
    const std::string high = threeDigits(1.0 + most.difference.difference);
    return low == high ? low : low + " – " + high;
}

std::string_view tradePattern(Change time)
{
    switch (time) {
    case Change::Less:
        return LS_TR("Findings",
            "With %2, both memory and time are saved. Peak memory is %3 times that of %1, the time per step %4 times.");
    case Change::Same:
        return LS_TR("Findings",
            "With %2, memory is saved in about the same time. Peak memory is %3 times that of %1, the time per step %4 "
            "times.");
    case Change::More:
        return LS_TR("Findings",
            "With %2, memory is saved but time is lost. Peak memory is %3 times that of %1, the time per step %4 "
            "times.");
    case Change::Unknown:
        break;
    }
    return LS_TR("Findings",
        "With %2, memory is saved; whether time is lost cannot be told. Peak memory is %3 times that of %1, the time "
        "per step %4 times.");
}

std::string_view netSizePattern(bool isBetter, bool isOfOneRunEach)
{
    if (isBetter) {
        return isOfOneRunEach
            ? LS_TR("Findings",
                "%1 against %2: %3 %4 instead of %5. A step takes %6 times as long. One run each: that may be chance.")
            : LS_TR("Findings", "%1 against %2: %3 %4 instead of %5. A step takes %6 times as long.");
    }
    return isOfOneRunEach
        ? LS_TR("Findings",
            "%1 gains nothing against %2: %3 %4 instead of %5. A step takes %6 times as long. One run each: that may "
            "be "
            "chance.")
        : LS_TR("Findings",
            "%1 gains nothing against %2: %3 %4 instead of %5, no clear difference. A step takes %6 times as long.");
}

} // namespace

std::optional<Finding> averagingAnswer(const std::vector<Group>& groups)
{
    const Figure& share = *findFigure("comms_with_wait_typical");
    Standing standing = standingOf(share, groups);
    const auto first = std::ranges::find(standing.order, &groups.front());
    if (standing.order.size() < MostNamed + 2 || first == standing.order.end()) {
        return communicationAnswer(groups);
    }
    Finding finding{.kind = "answer.communication",
        .pattern = LS_TR("Findings",
            "With %1, communicating and waiting take %2 of a step, or %3 of %4 ms. With the others they take from %5 "
            "(%6) to %7 (%8)."),
        .role = Role::Headline};
    const Group& last = *standing.order.back();
    if (is(last.runs.front()->spec, experiment::Rule::Median, experiment::Rule::TrimmedMean)) {
        finding.pattern = LS_TR("Findings",
            "With %1, communicating and waiting take %2 of a step, or %3 of %4 ms. With the others they take from %5 "
            "(%6) to %7 (%8, with the computing of its rule).");
    }
    for (const Group* group : standing.order) {
        finding.figures.emplace_back(std::string(share.name) + "_" + group->key, estimateOf(share, group->runs).mean);
        finding.addRuns(group->ids());
    }
    const Group& averaged = **first;
    finding.arguments = {averaged.name, estimateText(share, estimateOf(share, averaged.runs)),
        withInterval(averaged.geometric(communicateMs)), estimateText(&Summary::msPerStepTypical, averaged.runs)};
    standing.order.erase(first);
    for (const Group* end : {standing.order.front(), standing.order.back()}) {
        finding.arguments.push_back(estimateText(share, estimateOf(share, end->runs)));
        finding.arguments.push_back(end->name);
    }
    return finding;
}

std::optional<Finding> communicationAnswer(const std::vector<Group>& groups)
{
    const Figure& share = *findFigure("comms_with_wait_typical");
    std::vector<ValueAndText> named;
    Finding finding{.kind = "answer.communication", .role = Role::Headline};
    const Group* first = nullptr;
    std::size_t close = 0;
    std::size_t apart = 0;
    for (const Group& group : groups) {
        const MeanEstimate estimate = estimateOf(share, group.runs);
        if (!std::isfinite(estimate.mean)) {
            continue;
        }
        named.emplace_back(estimate.mean, group.name + " " + estimateText(share, estimate));
        finding.figures.emplace_back(std::string(share.name) + "_" + group.key, estimate.mean);
        finding.addRuns(group.ids());
        if (first == nullptr) {
            first = &group;
            continue;
        }
        const Certainty certainty = certaintyOf(share, differenceOf(share, first->runs, group.runs));
        close += certainty == Certainty::Close ? 1 : 0;
        apart += certainty == Certainty::Apart ? 1 : 0;
    }
    if (named.size() < 2) {
        return std::nullopt;
    }
    finding.pattern = close + 1 == named.size()
        ? LS_TR("Findings", "Communication and waiting take this share of a step: %1, no difference worth naming.")
        : apart == 0 ? LS_TR(
              "Findings", "Communication and waiting take this share of a step: %1; whether it differs cannot be told.")
                     : LS_TR("Findings", "Communication and waiting take this share of a step: %1.");
    finding.arguments = {endsOf(std::move(named))};
    return finding;
}

std::optional<Finding> savesNoTime(const Figure& pace, const Group& baseline, const std::vector<Group>& groups)
{
    if (groups.size() == 2) {
        return gainsNothing(pace, baseline, &groups.front() == &baseline ? groups.back() : groups.front());
    }
    std::vector<ValueAndText> times;
    Finding finding{.kind = "answer.saves_no_time",
        .pattern = LS_TR("Findings", "No time is saved here. Time per step against %1: %2."),
        .role = Role::Headline};
    for (const Group& group : groups) {
        if (&group == &baseline) {
            continue;
        }
        const Cost time = costOf(pace, baseline, group);
        if (time.change == Change::Less || time.change == Change::Unknown) {
            return std::nullopt;
        }
        times.emplace_back(time.difference.difference, group.name + " × " + time.times());
        finding.figures.emplace_back("times_" + group.key, 1.0 + time.difference.difference);
        finding.addRuns(group.ids());
    }
    finding.addRuns(baseline.ids());
    finding.arguments = {baseline.name, endsOf(std::move(times))};
    return finding;
}

std::optional<Finding> wholeNetBeside(const Figure& pace, const Group& baseline, const Group& group)
{
    const Cost time = costOf(pace, baseline, group);
    const Cost memory = costOf(*findFigure("peak_bytes"), baseline, group);
    if (!time.isKnown() || !memory.isKnown() || isFasterThanCoresAllow(pace, baseline, group)) {
        return std::nullopt;
    }
    return Finding{.kind = "answer.whole_net",
        .pattern = LS_TR("Findings",
            "For comparison, %1 does not split the net. A step takes %3 times as long as with %2, with %4 times the "
            "peak memory."),
        .arguments = {group.name, baseline.name, time.times(), threeDigits(1.0 + memory.difference.difference)},
        .figures = {{"times_" + group.key, 1.0 + time.difference.difference},
            {"peak_times_" + group.key, 1.0 + memory.difference.difference}},
        .runs = idsOf({&baseline, &group})};
}

std::vector<Finding> tradeAnswers(const Figure& pace, const Group& baseline, const std::vector<Group>& groups)
{
    std::vector<Finding> said;
    for (const Change change : {Change::Less, Change::Same, Change::More, Change::Unknown}) {
        std::vector<std::string> names;
        std::vector<Cost> memories;
        std::vector<Cost> times;
        Finding finding{
            .kind = "answer.trade", .pattern = tradePattern(change), .runs = baseline.ids(), .role = Role::Headline};
        for (const Group& group : groups) {
            const Cost memory = costOf(*findFigure("peak_bytes"), baseline, group);
            const Cost time = costOf(pace, baseline, group);
            if (group.key == baseline.key || memory.change != Change::Less || !time.isKnown()
                || time.change != change) {
                continue;
            }
            names.push_back(group.name);
            memories.push_back(memory);
            times.push_back(time);
            finding.figures.emplace_back("times_" + group.key, 1.0 + time.difference.difference);
            finding.figures.emplace_back("peak_times_" + group.key, 1.0 + memory.difference.difference);
            finding.addRuns(group.ids());
        }
        if (!names.empty()) {
            finding.arguments = {baseline.name, fewOf(names), timesOf(memories), timesOf(times)};
            said.push_back(std::move(finding));
        }
    }
    return said;
}

std::optional<Finding> leastMemoryAnswer(const Figure* pace, const Group& baseline, const std::vector<Group>& groups)
{
    const Figure& memory = *findFigure("peak_bytes");
    const auto bytes = [&memory](const Group& group) { return estimateOf(memory, group.runs).mean; };
    if (!std::ranges::all_of(groups, [&](const Group& group) { return std::isfinite(bytes(group)); })) {
        return std::nullopt;
    }
    const Group& least = *std::ranges::min_element(groups, {}, bytes);
    if (costOf(memory, baseline, least).change != Change::Less) {
        return std::nullopt;
    }
    std::vector<const Group*> leanest; // in the digits that are shown
    for (const Group& group : groups) {
        if (bytesText(bytes(group)) == bytesText(bytes(least))) {
            leanest.push_back(&group);
        }
    }
    const Cost time = pace == nullptr ? Cost{} : costOf(*pace, baseline, least);
    const bool isTimeSaid = time.isKnown() && leanest.size() == 1;
    Finding finding{.kind = "answer.least_memory",
        .pattern = leastMemoryPattern(time, isTimeSaid),
        .arguments = {fewOf(leanest, &Group::name), bytesText(bytes(least)), bytesText(bytes(baseline)), baseline.name,
            isTimeSaid ? time.times() : std::string()},
        .role = Role::Headline};
    for (const Group& group : groups) {
        finding.figures.emplace_back("peak_bytes_" + group.key, bytes(group));
        finding.addRuns(group.ids());
    }
    if (isTimeSaid) {
        finding.figures.emplace_back("times_" + least.key, 1.0 + time.difference.difference);
    }
    return finding;
}

std::vector<Finding> netSizeAnswers(const std::vector<Group>& groups)
{
    if (groups.size() < 2 || std::ranges::any_of(groups, isOfUnknownNet)) {
        return {};
    }
    const Group& smallest = *std::ranges::min_element(groups, {}, weightsOf);
    const Figure& loss = lossFigureOf(groups);
    const Figure& pace = figureOf(&Summary::msPerStepTypical);
    std::vector<Finding> said;
    Finding table{.kind = "answer.net_sizes",
        .pattern = LS_TR("Findings", "What the nets have, learn and cost."),
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Parameters"), LS_TR("Findings", "Training loss"),
                      LS_TR("Findings", "Time per step (ms)"), LS_TR("Findings", "Multiple of the time")},
            {}}};
    for (const Group& group : groups) {
        const FigureDifference gain = differenceOf(loss, smallest.runs, group.runs);
        const FigureDifference cost = differenceOf(pace, smallest.runs, group.runs);
        table.table.rows.push_back({group.name, grouped(std::llround(weightsOf(group))),
            estimateText(loss, estimateOf(loss, group.runs)), estimateText(pace, estimateOf(pace, group.runs)),
            &group == &smallest ? "1" : timesText(1.0 + cost.difference, 1.0 + cost.low, 1.0 + cost.high)});
        table.figures.emplace_back("parameters_" + group.key, weightsOf(group));
        table.addRuns(group.ids());
        if (!(weightsOf(group) > weightsOf(smallest)) || !std::isfinite(gain.difference)
            || !std::isfinite(cost.difference)) {
            continue;
        }
        const bool isOfOneRunEach = gain.n < 2;
        const bool isBetter = gain.difference < 0.0
            && (isOfOneRunEach ? -gain.difference > loss.smallestDifference / 2.0
                               : certaintyOf(loss, gain) == Certainty::Apart);
        Finding finding{.kind = "answer.net_size",
            .pattern = netSizePattern(isBetter, isOfOneRunEach),
            .arguments = {group.name, smallest.name, std::string(loss.label),
                estimateText(loss, estimateOf(loss, group.runs)), estimateText(loss, estimateOf(loss, smallest.runs)),
                timesText(1.0 + cost.difference, 1.0 + cost.low, 1.0 + cost.high)},
            .labels = {2},
            .figures = {{"ms_per_step_times", 1.0 + cost.difference}, {"loss_difference", gain.difference}},
            .runs = idsOf({&smallest, &group}),
            .role = Role::Headline};
        said.push_back(std::move(finding));
    }
    if (!said.empty()) {
        said.push_back(std::move(table));
    }
    return said;
}

std::optional<Finding> interactionAnswer(
    const Figure& figure, const std::vector<Group>& groups, const std::vector<StudyParameter>& parameters)
{
    if (parameters.size() != 2 || groups.size() != parameters[0].values.size() * parameters[1].values.size()) {
        return std::nullopt;
    }
    const double sign = isHighestBest(figure) ? 1.0 : -1.0;
    const auto goodness = [&](const Group& group) { return sign * estimateOf(figure, group.runs).mean; };
    const auto valueOf = [&](const Group& group, std::size_t parameter) {
        return studyValue(*group.runs.front(), *parameters[parameter].parameter);
    };
    // The parameter with more values, or the number, has a best one for each value of the other.
    const std::size_t first = parameters[0].values.size();
    const std::size_t second = parameters[1].values.size();
    const std::size_t along = first > second || (first == second && parameters[0].isNumeric()) ? 0 : 1;
    const std::size_t other = 1 - along;
    std::vector<const Group*> bests;
    for (const experiment::Value& value : parameters[other].values) {
        const Group* best = nullptr;
        for (const Group& group : groups) {
            if (valueOf(group, other) == value && (best == nullptr || goodness(group) > goodness(*best))) {
                best = &group;
            }
        }
        if (best == nullptr || !std::isfinite(goodness(*best))) {
            return std::nullopt;
        }
        bests.push_back(best);
    }
    // Whether it costs an amount worth naming, for sure, to take the best value of another row.
    const auto costs = [&](const Group* best) {
        return std::ranges::any_of(groups, [&](const Group& group) {
            const bool isOfRow = valueOf(group, other) == valueOf(*best, other);
            const bool isBestElsewhere = std::ranges::any_of(
                bests, [&](const Group* each) { return valueOf(*each, along) == valueOf(group, along); });
            return isOfRow && isBestElsewhere && goodness(*best) > goodness(group)
                && certaintyOf(figure, differenceOf(figure, best->runs, group.runs)) == Certainty::Apart;
        });
    };
    if (!std::ranges::any_of(bests, costs)) {
        return std::nullopt;
    }
    Finding finding{.kind = "answer.interaction",
        .pattern = LS_TR("Findings", "The best %1 depends on %2. The best means are those of %3."),
        .arguments = {std::string(parameters[along].parameter->label), std::string(parameters[other].parameter->label),
            fewOf(bests, &Group::name)},
        .labels = {0, 1},
        .figures = {},
        .runs = {},
        .role = Role::Evidence};
    for (const Group* group : bests) {
        finding.figures.emplace_back(std::string(figure.name) + "_" + group->key, sign * goodness(*group));
        finding.addRuns(group->ids());
    }
    return finding;
}

} // namespace lockstep::analysis
