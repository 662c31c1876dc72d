#include "analysis/answers/answer_parts.h"
#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>

namespace lockstep::analysis {

namespace {

/// Of more the sentence gives no names.
constexpr std::size_t MostWorse = 3;

void addNames(Finding& finding, const Standing& standing)
{
    for (std::size_t i = 0; i < standing.order.size(); ++i) {
        finding.figures.emplace_back(
            std::string(standing.figure->name) + "_" + standing.order[i]->key, standing.estimates[i].mean);
        finding.addRuns(standing.order[i]->ids());
    }
}

/// `94.2 % – 95.1 %`, from the lowest to the highest mean.
std::string rangeText(const Standing& standing)
{
    const auto [least, most] = std::minmax(standing.estimates.front().mean, standing.estimates.back().mean);
    const std::string low = valueText(*standing.figure, least);
    const std::string high = valueText(*standing.figure, most);
    return low == high ? low : low + " – " + high;
}

Finding bestAnswer(const Standing& standing)
{
    const Figure& figure = *standing.figure;
    // That the first is apart is judged family-wise; the number shown is that of every table.
    const FigureDifference second = differenceOf(figure, standing.order[0]->runs, standing.order[1]->runs);
    const std::string_view pattern = second.isInPoints
        ? LS_TR("Findings", "%1: highest with %2, %3; %4 is %5 points lower.")
        : isHighestBest(figure) ? LS_TR("Findings", "%1: highest with %2, %3; %4 has %5 times that.")
                                : LS_TR("Findings", "%1: lowest with %2, %3; %4 has %5 times that.");
    Finding finding = headlineOf("answer.best", pattern, figure);
    for (const std::string& argument :
        {standing.order[0]->name, withUnit(figure, estimateText(figure, standing.estimates[0])),
            standing.order[1]->name, ratioText(second)}) {
        finding.arguments.push_back(argument);
    }
    return finding;
}

/// %4: those that cannot be told from the best; %5: those that are worse.
std::string_view tiedPattern(std::size_t tied, std::size_t worse)
{
    if (tied == 0) {
        return LS_TR("Findings", "%1: best in every run is %2 (%3), but these runs cannot tell that for sure.");
    }
    return worse > MostWorse
        ? LS_TR("Findings",
            "%1: the best mean is that of %2 (%3), which cannot be told from %4 by these runs. The others are worse.")
        : LS_TR("Findings",
            "%1: the best mean is that of %2 (%3), which cannot be told from %4 by these runs. "
            "Worse: %5.");
}

/// The best one and those that cannot be told from it, beside others that are worse.
Finding tiedAnswer(const Standing& standing)
{
    const Figure& figure = *standing.figure;
    std::vector<std::string> tied;
    std::vector<std::string> worse;
    for (std::size_t place = 1; place < standing.order.size(); ++place) {
        const std::string& name = standing.order[place]->name;
        if (standing.isTied(place)) {
            tied.push_back(name + " (" + valueText(figure, standing.estimates[place].mean) + ")");
        } else {
            worse.push_back(name);
        }
    }
    // For sure only where an interval tells some from the best.
    const bool isSure
        = !tied.empty() && std::ranges::find(standing.certainties, Certainty::Apart) != standing.certainties.end();
    Finding finding
        = headlineOf(isSure ? "answer.tied" : "answer.unknown", tiedPattern(tied.size(), worse.size()), figure);
    for (const std::string& argument :
        {standing.order.front()->name, valueText(figure, standing.estimates.front().mean), fewOf(tied), fewOf(worse)}) {
        finding.arguments.push_back(argument);
    }
    return finding;
}

Finding oneRunAnswer(const Standing& standing)
{
    const Figure& figure = *standing.figure;
    Finding finding = headlineOf("answer.one_run",
        LS_TR("Findings", "%1: best is %2 (%3), then %4 (%5), each in one run: that may be chance."), figure);
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
        finding.arguments.push_back(standing.order[place]->name);
        finding.arguments.push_back(valueText(figure, standing.estimates[place].mean));
    }
    return finding;
}

Finding ofTwoAnswer(const Standing& standing, bool areClose)
{
    Finding finding = headlineOf(areClose ? "answer.close" : "answer.unknown",
        areClose ? LS_TR("Findings", "%1: no difference worth naming between %2 (%3) and %4 (%5).")
                 : LS_TR("Findings", "%1: whether %2 (%3) or %4 (%5) is better cannot be told."),
        *standing.figure);
    finding.moreRepeats = moreRepeatsFor(*standing.figure, standing.toBest[1]);
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
        finding.arguments.push_back(standing.order[place]->name);
        finding.arguments.push_back(valueText(*standing.figure, standing.estimates[place].mean));
    }
    return finding;
}

Finding noWinnerAnswer(const Standing& standing, bool areClose)
{
    if (standing.order.size() == 2) {
        return ofTwoAnswer(standing, areClose);
    }
    Finding finding = headlineOf(areClose ? "answer.close" : "answer.unknown",
        areClose ? LS_TR("Findings", "%1: no difference worth naming between the %2 variants (%3).")
                 : LS_TR("Findings", "%1: which of the %2 variants is best cannot be told (%3)."),
        *standing.figure);
    finding.arguments.push_back(std::to_string(standing.order.size()));
    finding.arguments.push_back(rangeText(standing));
    return finding;
}

/// Whether all means lie within the smallest difference worth naming.
bool areWithinReach(const Standing& standing)
{
    const double best = standing.estimates.front().mean;
    const double worst = standing.estimates.back().mean;
    const double apart
        = standing.toBest[1].isInPoints ? std::abs(best - worst) : std::max(best, worst) / std::min(best, worst) - 1.0;
    return apart < standing.figure->smallestDifference;
}

} // namespace

Finding headlineOf(std::string_view kind, std::string_view pattern, const Figure& figure)
{
    return {.kind = kind,
        .pattern = pattern,
        .arguments = {std::string(figure.label)},
        .labels = {0},
        .role = Role::Headline};
}

std::string withUnit(const Figure& figure, const std::string& text)
{
    const bool isRate = figure.name.starts_with("samples_per_s");
    const bool hasOwn = figure.kind != FigureKind::Number || figure.unit.empty();
    return hasOwn ? text : text + (isRate ? " /s" : " " + std::string(figure.unit));
}

std::string valueText(const Figure& figure, double value)
{
    return withUnit(figure, estimateText(figure, {value, NotMeasured, NotMeasured, 1}));
}

Finding rankingAnswer(const Standing& standing)
{
    Finding finding = standing.isEvery(Certainty::Apart)         ? bestAnswer(standing)
        : standing.isEvery(Certainty::Close)                     ? noWinnerAnswer(standing, true)
        : standing.isOfOneRunEach() && !areWithinReach(standing) ? oneRunAnswer(standing)
        : standing.isAnyWorse()                                  ? tiedAnswer(standing)
                                                                 : noWinnerAnswer(standing, false);
    addNames(finding, standing);
    return finding;
}

} // namespace lockstep::analysis
