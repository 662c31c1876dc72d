#include "analysis/answers/answer_parts.h"
#include "analysis/answers/learning.h"
#include "analysis/numbers.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace lockstep::analysis {

namespace {

/// A shape needs more than two ends.
constexpr std::size_t FewestOfShape = 3;

/// The variants in the order of the parameter's values, with their places in the standing.
struct Line {
    std::vector<std::string> values;
    std::vector<std::size_t> places;
};

Line lineOf(const Standing& standing, const StudyParameter& parameter)
{
    Line line;
    for (const experiment::Value& value : parameter.values) {
        for (std::size_t i = 0; i < standing.order.size(); ++i) {
            if (studyValue(*standing.order[i]->runs.front(), *parameter.parameter) == value) {
                line.values.push_back(experiment::toText(value));
                line.places.push_back(i);
            }
        }
    }
    return line;
}

/// Whether every value of the line is above the one before it, or below where `isFalling`.
bool isMonotone(const Standing& standing, const Line& line, bool isFalling)
{
    for (std::size_t i = 1; i < line.places.size(); ++i) {
        const double step = standing.estimates[line.places[i]].mean - standing.estimates[line.places[i - 1]].mean;
        if (isFalling ? !(step < 0.0) : !(step > 0.0)) {
            return false;
        }
    }
    return true;
}

/// The values that cannot be told from the best one.
std::vector<std::string> asGoodAs(const Standing& standing, const Line& line)
{
    std::vector<std::string> values;
    for (std::size_t point = 0; point < line.places.size(); ++point) {
        if (line.places[point] > 0 && standing.isTied(line.places[point])) {
            values.push_back(line.values[point]);
        }
    }
    return values;
}

Finding shapeAnswer(std::string_view kind, std::string_view pattern, const Standing& standing,
    const StudyParameter& parameter, const Line& line, const std::vector<std::size_t>& points)
{
    Finding finding = headlineOf(kind, pattern, *standing.figure);
    finding.arguments.emplace_back(parameter.parameter->label);
    finding.labels.push_back(1);
    for (const std::size_t point : points) {
        const double mean = standing.estimates[line.places[point]].mean;
        finding.arguments.push_back(line.values[point]);
        finding.arguments.push_back(valueText(*standing.figure, mean));
        finding.figures.emplace_back(std::string(standing.figure->name) + "_" + line.values[point], mean);
    }
    finding.arguments.push_back(standing.order.front()->name);
    for (const Group* group : standing.order) {
        finding.addRuns(group->ids());
    }
    return finding;
}

/// What a parameter does to the figure: the largest difference between the means of two of its values, each over all
/// values of the other parameters.
struct Effect {
    const experiment::Parameter* parameter = nullptr;
    double range = -1.0;
    std::map<std::int64_t, double> bySeed{}; ///< of the same two values
    experiment::Value lower{}; ///< of the two the one before the other in the parameter's order
    experiment::Value upper{};
    double atLower = NotMeasured; ///< means
    double atUpper = NotMeasured;
    std::size_t contrasts = 1; ///< pairs of values of which these are the furthest apart
};

experiment::Value valueOf(const Group& group, const StudyParameter& parameter)
{
    return studyValue(*group.runs.front(), *parameter.parameter);
}

double meanOf(const std::vector<const Group*>& groups, const Figure& figure, std::optional<std::int64_t> seed = {})
{
    double sum = 0.0;
    double count = 0.0;
    for (const Group* group : groups) {
        for (const RunRecord* run : group->runs) {
            const bool isMeant = !seed || run->spec.settings->train.seed == *seed;
            sum += isMeant ? figure.of(*run) : 0.0;
            count += isMeant ? 1.0 : 0.0;
        }
    }
    return sum / count;
}

/// Of two values; `lower`: the variants with the first, `upper`: those with the second.
void compareValues(const Figure& figure, const std::vector<const Group*>& lower, const std::vector<const Group*>& upper,
    Effect& effect)
{
    const double atLower = meanOf(lower, figure);
    const double atUpper = meanOf(upper, figure);
    if (!(std::abs(atUpper - atLower) > effect.range)) {
        return;
    }
    effect.range = std::abs(atUpper - atLower);
    effect.atLower = atLower;
    effect.atUpper = atUpper;
    effect.lower = studyValue(*lower.front()->runs.front(), *effect.parameter);
    effect.upper = studyValue(*upper.front()->runs.front(), *effect.parameter);
    effect.bySeed.clear();
    for (const RunRecord* run : lower.front()->runs) {
        const std::int64_t seed = run->spec.settings->train.seed;
        const double more = meanOf(upper, figure, seed) - meanOf(lower, figure, seed);
        effect.bySeed[seed] = atUpper < atLower ? -more : more;
    }
}

/// Of `groups`, which hold every combination of their values.
Effect effectOf(const Figure& figure, const std::vector<const Group*>& groups, const StudyParameter& parameter)
{
    std::vector<std::vector<const Group*>> byValue;
    for (const experiment::Value& value : parameter.values) {
        std::vector<const Group*> with;
        std::ranges::copy_if(
            groups, std::back_inserter(with), [&](const Group* group) { return valueOf(*group, parameter) == value; });
        if (!with.empty()) {
            byValue.push_back(std::move(with));
        }
    }
    Effect effect{.parameter = parameter.parameter};
    for (std::size_t i = 0; i < byValue.size(); ++i) {
        for (std::size_t j = i + 1; j < byValue.size(); ++j) {
            compareValues(figure, byValue[i], byValue[j], effect);
        }
    }
    effect.contrasts = std::max<std::size_t>(1, byValue.size() * (byValue.size() - 1) / 2);
    return effect;
}

bool hasLearnedAll(const Group& group)
{
    return std::ranges::all_of(group.runs, [](const RunRecord* run) { return hasLearned(*run); });
}

/// Single combinations that never learned, so that an average of theirs would be made by them; not where a value never
/// learned with any other.
std::vector<const Group*> unlearnedOf(const std::vector<Group>& groups, const std::vector<StudyParameter>& parameters)
{
    std::vector<const Group*> unlearned;
    for (const Group& group : groups) {
        const bool isSingle = std::ranges::all_of(parameters, [&](const StudyParameter& each) {
            return std::ranges::any_of(groups, [&](const Group& other) {
                return hasLearnedAll(other) && valueOf(other, each) == valueOf(group, each);
            });
        });
        if (!hasLearnedAll(group) && isSingle) {
            unlearned.push_back(&group);
        }
    }
    return unlearned;
}

/// Every combination of some values, with the effect of each parameter, the largest first.
struct FullGrid {
    const StudyParameter* without = nullptr; ///< lacks these values of it, with which single combinations never learned
    std::vector<experiment::Value> left{};
    std::vector<const Group*> groups{};
    std::vector<Effect> effects{};

    /// Whether the first effect is larger than the others for sure.
    [[nodiscard]] bool isTold() const
    {
        // The data choose the values that are furthest apart: as many comparisons as there are pairs of them.
        for (std::size_t i = 1; i < effects.size(); ++i) {
            std::vector<double> more;
            for (const auto& [seed, range] : effects[0].bySeed) {
                more.push_back(range - effects[i].bySeed.at(seed));
            }
            const Interval difference = meanWithInterval(more, (effects.size() - 1) * effects[0].contrasts);
            if (difference.n < 2 || !(difference.mean > difference.halfWidth)) {
                return false;
            }
        }
        return true;
    }
};

/// All combinations; where single ones never learned, as many grids as parameters whose values with these can be left
/// out, the largest first.
std::vector<FullGrid> gridsOf(const Figure& figure, const std::vector<Group>& groups,
    const std::vector<StudyParameter>& parameters, const std::vector<const Group*>& unlearned)
{
    std::vector<FullGrid> grids;
    for (const StudyParameter& parameter : parameters) {
        FullGrid grid{.without = unlearned.empty() ? nullptr : &parameter};
        for (const Group* group : unlearned) {
            const experiment::Value value = valueOf(*group, parameter);
            if (std::ranges::find(grid.left, value) == grid.left.end()) {
                grid.left.push_back(value);
            }
        }
        for (const Group& group : groups) {
            if (std::ranges::find(grid.left, valueOf(group, parameter)) == grid.left.end()) {
                grid.groups.push_back(&group);
            }
        }
        std::ranges::transform(parameters, std::back_inserter(grid.effects),
            [&](const StudyParameter& each) { return effectOf(figure, grid.groups, each); });
        std::ranges::stable_sort(grid.effects, std::ranges::greater(), &Effect::range);
        if (grid.effects.back().range >= 0.0) {
            grids.push_back(std::move(grid));
        }
        if (unlearned.empty()) {
            break; // nothing to leave out
        }
    }
    std::ranges::stable_sort(grids, std::ranges::greater(), [](const FullGrid& grid) { return grid.groups.size(); });
    return grids;
}

/// Whether every seed ran every combination once.
bool isFullGrid(const std::vector<Group>& groups, const std::vector<StudyParameter>& parameters)
{
    std::size_t combinations = 1;
    for (const StudyParameter& each : parameters) {
        combinations *= each.values.size();
    }
    return groups.size() == combinations && std::ranges::all_of(groups, [&](const Group& group) {
        return group.runs.size() == groups.front().runs.size() && hasEachSeedOnce(group.runs)
            && !pairsOfSeeds(group.runs, groups.front().runs).empty();
    });
}

/// %7: the variant with the best mean, the best one if it is apart from every other.
std::string_view slopePattern(bool isFalling, bool hasBest)
{
    if (hasBest) {
        return isFalling ? LS_TR("Findings", "%1 falls as %2 rises, from %4 at %3 to %6 at %5: best is %7.")
                         : LS_TR("Findings", "%1 rises with %2, from %4 at %3 to %6 at %5: best is %7.");
    }
    return isFalling ? LS_TR("Findings", "%1 falls as %2 rises, from %4 at %3 to %6 at %5; best mean: %7.")
                     : LS_TR("Findings", "%1 rises with %2, from %4 at %3 to %6 at %5; best mean: %7.");
}

std::string_view influencePattern(const Effect& effect, bool isTold, bool isInPoints)
{
    if (!isTold) {
        return isInPoints ? LS_TR("Findings",
                   "%1: whether %2 (on average up to %3 points) or %4 (up to %5) matters more "
                   "cannot be told.")
                          : LS_TR("Findings",
                              "%1: whether %2 (on average up to %3) or %4 (up to %5) matters "
                              "more cannot be told.");
    }
    if (!StudyParameter{effect.parameter, {}}.isNumeric()) {
        return isInPoints
            ? LS_TR(
                "Findings", "%1 depends most on %2: from %7 with %6 to %9 with %8. %4 changes it by up to %5 points.")
            : LS_TR("Findings", "%1 depends most on %2: from %7 with %6 to %9 with %8. %4 changes it by up to %5.");
    }
    if (effect.atUpper > effect.atLower) {
        return isInPoints ? LS_TR("Findings",
                   "%1 depends most on %2: it rises from %7 at %6 to %9 at %8. %4 changes it by up to %5 points.")
                          : LS_TR("Findings",
                              "%1 depends most on %2: it rises from %7 at %6 to %9 at %8. %4 changes it by up to %5.");
    }
    return isInPoints
        ? LS_TR(
            "Findings", "%1 depends most on %2: it falls from %7 at %6 to %9 at %8. %4 changes it by up to %5 points.")
        : LS_TR("Findings", "%1 depends most on %2: it falls from %7 at %6 to %9 at %8. %4 changes it by up to %5.");
}

bool isShare(const Figure& figure)
{
    return figure.kind == FigureKind::Share;
}

std::string amountOf(const Figure& figure, double range)
{
    return isShare(figure) ? onePlace(range * 100.0) : valueText(figure, range);
}

/// `0.1`; of a choice its label.
void addValue(Finding& finding, const experiment::Parameter& parameter, const experiment::Value& value)
{
    const std::string text = experiment::toText(value);
    const auto choice = std::ranges::find(parameter.choices, text, &experiment::Choice::name);
    if (choice != parameter.choices.end()) {
        finding.labels.push_back(finding.arguments.size());
    }
    finding.arguments.push_back(choice == parameter.choices.end() ? text : std::string(choice->label));
}

void addEffects(Finding& finding, const Figure& figure, const FullGrid& grid)
{
    for (const Effect* effect : {&grid.effects[0], &grid.effects[1]}) {
        finding.labels.push_back(finding.arguments.size());
        finding.arguments.emplace_back(effect->parameter->label);
        finding.arguments.push_back(amountOf(figure, effect->range));
        finding.figures.emplace_back("range_" + std::string(effect->parameter->name), effect->range);
    }
    for (const Group* group : grid.groups) {
        finding.addRuns(group->ids());
    }
}

/// The values that a grid lacks.
void addLeft(Finding& finding, const FullGrid& grid)
{
    if (grid.left.size() == 1) {
        addValue(finding, *grid.without->parameter, grid.left.front());
    } else {
        finding.arguments.push_back(
            fewOf(grid.left, [](const experiment::Value& value) { return experiment::toText(value); }));
    }
}

/// What the combinations are compared without; where that makes another parameter the first, what each changes then.
Finding withoutFinding(
    const Figure& figure, const FullGrid& grid, const std::vector<const Group*>& unlearned, bool isShown)
{
    Finding finding{.kind = "answer.influence_without"};
    finding.labels = {0};
    finding.arguments.emplace_back(grid.without->parameter->label);
    addLeft(finding, grid);
    if (isShown) {
        finding.pattern
            = LS_TR("Findings", "What each setting changes is compared without %1 %2, where %3 hardly learned.");
        finding.arguments.push_back(fewOf(unlearned, [](const Group* group) { return group->name; }));
        for (const Group* group : unlearned) {
            finding.addRuns(group->ids());
        }
        return finding;
    }
    finding.pattern = isShare(figure)
        ? LS_TR("Findings", "With %1 %2 left out, %3 changes %7 by up to %4 points, %5 by up to %6.")
        : LS_TR("Findings", "With %1 %2 left out, %3 changes %7 by up to %4, %5 by up to %6.");
    addEffects(finding, figure, grid);
    finding.labels.push_back(finding.arguments.size());
    finding.arguments.emplace_back(figure.label);
    return finding;
}

/// What matters most depends on which value goes with what never learned: each grid with the first of its effects.
std::vector<Finding> dependsOnGrid(
    const Figure& figure, const std::vector<FullGrid>& grids, const std::vector<const Group*>& unlearned)
{
    Finding finding{.kind = "answer.influence_unknown",
        .pattern = LS_TR("Findings",
            "Which setting changes %7 more cannot be told, since %6 hardly learned. Without %1 %2 it is %3, without %4 "
            "%5 it "
            "is %8."),
        .role = Role::Headline};
    std::vector<Finding> evidence;
    for (const FullGrid* grid : {&grids.front(), &grids.back()}) {
        finding.labels.push_back(finding.arguments.size());
        finding.arguments.emplace_back(grid->without->parameter->label);
        addLeft(finding, *grid);
        evidence.push_back(withoutFinding(figure, *grid, unlearned, false));
        finding.addRuns(evidence.back().runs);
        if (grid == &grids.front()) {
            finding.labels.push_back(finding.arguments.size());
            finding.arguments.emplace_back(grid->effects[0].parameter->label);
        }
    }
    finding.arguments.push_back(fewOf(unlearned, [](const Group* group) { return group->name; }));
    for (const std::string_view label : {figure.label, grids.back().effects[0].parameter->label}) {
        finding.labels.push_back(finding.arguments.size());
        finding.arguments.emplace_back(label);
    }
    evidence.insert(evidence.begin(), std::move(finding));
    return evidence;
}

} // namespace

std::optional<Finding> parameterAnswer(const Standing& standing, const StudyParameter& parameter)
{
    const Line line = lineOf(standing, parameter);
    const std::size_t n = line.places.size();
    if (!parameter.isNumeric() || n < FewestOfShape || n != standing.order.size()) {
        return std::nullopt;
    }
    if (standing.isEvery(Certainty::Close)) {
        return shapeAnswer("answer.flat",
            LS_TR("Findings", "%1 hardly depends on %2: no difference worth naming from %3 (%4) to %5 (%6)."), standing,
            parameter, line, {0, n - 1});
    }
    if (!standing.isAnyWorse()) {
        if (standing.isOfOneRunEach()) {
            return std::nullopt; // which of them did best is worth more than both ends
        }
        return shapeAnswer("answer.unknown",
            LS_TR("Findings", "Whether %1 depends on %2 cannot be told: %4 at %3, %6 at %5."), standing, parameter,
            line, {0, n - 1});
    }
    const auto best = static_cast<std::size_t>(std::ranges::find(line.places, std::size_t{0}) - line.places.begin());
    const auto isTold = [&](std::size_t point) { return !standing.isTied(line.places[point]); };
    const bool isAtEnd = best == 0 || best == n - 1;
    const std::size_t otherEnd = n - 1 - best;
    if (isAtEnd && isTold(otherEnd)) {
        for (const bool isFalling : {false, true}) {
            if (isMonotone(standing, line, isFalling)) {
                return shapeAnswer(isFalling ? "answer.falls" : "answer.rises",
                    slopePattern(isFalling, standing.isEvery(Certainty::Apart)), standing, parameter, line, {0, n - 1});
            }
        }
    }
    if (isAtEnd || !isTold(0) || !isTold(n - 1)) {
        return std::nullopt;
    }
    const std::vector<std::size_t> points{best, 0, n - 1};
    if (const auto asGood = asGoodAs(standing, line); !asGood.empty()) { // then the best lies about there
        Finding finding = shapeAnswer("answer.about",
            isHighestBest(*standing.figure)
                ? LS_TR("Findings",
                    "%1 is highest about %2 %3 (%4), which cannot be told from %9. It is %6 at %5 and %8 at %7.")
                : LS_TR("Findings",
                    "%1 is lowest about %2 %3 (%4), which cannot be told from %9. It is %6 at %5 and %8 at %7."),
            standing, parameter, line, points);
        finding.arguments.back() = fewOf(asGood);
        return finding;
    }
    if (!standing.isEvery(Certainty::Apart)) {
        return std::nullopt; // the best in every run, which is not sure
    }
    return shapeAnswer("answer.peak",
        isHighestBest(*standing.figure) ? LS_TR("Findings", "%1 is highest with %9, at %2 %3 (%4); %6 at %5, %8 at %7.")
                                        : LS_TR("Findings", "%1 is lowest with %9, at %2 %3 (%4); %6 at %5, %8 at %7."),
        standing, parameter, line, points);
}

std::vector<Finding> influenceAnswers(
    const Figure& figure, const std::vector<Group>& groups, const std::vector<StudyParameter>& parameters)
{
    const auto hasFigure = [&figure](const Group& group) { return isMeasured(group.runs, figure); };
    if (parameters.size() < 2 || !isFullGrid(groups, parameters) || !std::ranges::all_of(groups, hasFigure)) {
        return {};
    }
    const std::vector<const Group*> unlearned = unlearnedOf(groups, parameters);
    const std::vector<FullGrid> grids = gridsOf(figure, groups, parameters, unlearned);
    if (grids.empty()) {
        return {};
    }
    const FullGrid& grid = grids.front();
    if (std::ranges::any_of(
            grids, [&](const FullGrid& each) { return each.effects[0].parameter != grid.effects[0].parameter; })) {
        return dependsOnGrid(figure, grids, unlearned);
    }
    const bool isTold = std::ranges::all_of(grids, &FullGrid::isTold);
    Finding finding = headlineOf(isTold ? "answer.influence" : "answer.influence_unknown",
        influencePattern(grid.effects[0], isTold, isShare(figure)), figure);
    addEffects(finding, figure, grid);
    for (const auto& [value, mean] : {std::pair(&grid.effects[0].lower, grid.effects[0].atLower),
             std::pair(&grid.effects[0].upper, grid.effects[0].atUpper)}) {
        addValue(finding, *grid.effects[0].parameter, *value);
        finding.arguments.push_back(valueText(figure, mean));
    }
    std::vector<Finding> said{std::move(finding)};
    if (!unlearned.empty()) {
        said.push_back(withoutFinding(figure, grid, unlearned, true));
    }
    return said;
}

} // namespace lockstep::analysis
