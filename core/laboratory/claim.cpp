#include "laboratory/claim.h"

#include "analysis/answers/standing.h"
#include "analysis/study/parameter_study.h"
#include "base/translate.h"
#include "experiment/parameter.h"
#include "laboratory/counted_variants.h"

#include <QString>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lockstep::laboratory {

namespace {

using analysis::Certainty;
using analysis::Figure;
using analysis::FigureDifference;
using analysis::RunRecord;
using enum Judgement;

constexpr double Hundred = 100.0;

/// What an interval says of "at least `bound` more", where the bound may be below 0: then "at least that much less".
Judgement reaches(double low, double high, double bound)
{
    const bool isLess = bound < 0.0;
    const bool holds = isLess ? high <= bound : low >= bound;
    const bool fails = isLess ? low > bound : high < bound;
    return holds ? Holds : fails ? DoesNotHold : CannotBeTold;
}

/// Whether the difference is known at all: of bytes one run is enough, of equal values two.
bool isKnown(const Figure& figure, const FigureDifference& difference)
{
    return difference.hasInterval()
        || (std::isfinite(difference.difference)
            && (figure.kind == analysis::FigureKind::Bytes || (difference.n > 1 && difference.difference == 0.0)));
}

Judgement judgementOf(const Claim& claim, const Figure& figure, const FigureDifference& difference)
{
    if (!isKnown(figure, difference)) {
        return CannotBeTold;
    }
    const double low = difference.hasInterval() ? difference.low : difference.difference;
    const double high = difference.hasInterval() ? difference.high : difference.difference;
    const double smallest = figure.smallestDifference;
    const double least = difference.isInPoints ? -smallest : 1.0 / (1.0 + smallest) - 1.0;
    if (claim.kind == ClaimKind::NoDifference) {
        const bool isBeyond = low >= smallest || high <= least;
        return certaintyOf(figure, difference) == Certainty::Close ? Holds : isBeyond ? DoesNotHold : CannotBeTold;
    }
    const double amount = claim.percent / Hundred;
    if (amount > 0.0) {
        return reaches(low, high, claim.kind == ClaimKind::Less ? -amount : amount);
    }
    // By any amount: 0 itself is none.
    const bool isLess = claim.kind == ClaimKind::Less;
    const bool holds = isLess ? high < 0.0 : low > 0.0;
    const bool fails = isLess ? low >= 0.0 : high <= 0.0;
    return holds ? Holds : fails ? DoesNotHold : CannotBeTold;
}

constexpr std::string_view ClaimOfPair = "laboratory.claim";
constexpr std::string_view ClaimOfTrend = "laboratory.trend";

/// What was measured is kept, but nothing is judged by it.
void takeDoubt(Verdict& verdict, std::optional<analysis::Finding> doubt)
{
    if (doubt) {
        verdict.judgement = CannotBeTold;
        verdict.moreRepeats = 0;
        verdict.sentence = *std::move(doubt);
    }
}

Verdict verdictOfPair(const Claim& claim, const Figure& figure, std::span<const RunRecord> runs)
{
    const CountedPair pair = countedPair(runs, claim.variant, claim.against, figure, Settings::Newest);
    Verdict verdict;
    if (!pair.variant.runs.empty() && !pair.against.runs.empty()) {
        verdict.difference = differenceOf(figure, pair.against.runs, pair.variant.runs);
        verdict.judgement = judgementOf(claim, figure, verdict.difference);
        verdict.repeats = std::min(pair.variant.runs.size(), pair.against.runs.size());
        verdict.otherRuns = pair.others;
    }
    verdict.sentence = comparisonOf(ClaimOfPair, figure, pair, verdict.difference, verdict.judgement);
    if (verdict.judgement != NotMeasured) {
        takeDoubt(verdict, doubtOf(ClaimOfPair, figure, std::array{pair.variant, pair.against}));
    }
    verdict.moreRepeats = verdict.sentence.moreRepeats;
    verdict.sentence.figures.emplace_back(std::string(figure.name), verdict.difference.difference);
    return verdict;
}

/// A line of settings along the parameter, with the runs of each point that have the figure.
using Points = std::vector<std::vector<const RunRecord*>>;

Points pointsOf(const analysis::StudyLine& line, const Figure& figure, std::span<const RunRecord> runs)
{
    Points points;
    for (const analysis::StudyPoint& point : line.points) {
        std::vector<const RunRecord*> ofPoint;
        for (const RunRecord& run : runs) {
            if (std::ranges::find(point.runs, run.id) != point.runs.end() && std::isfinite(figure.of(run))) {
                ofPoint.push_back(&run);
            }
        }
        if (!ofPoint.empty()) {
            points.push_back(std::move(ofPoint));
        }
    }
    return points;
}

/// What decides along one line, beside its ends.
struct Trend {
    enum class Neighbours { Sure, Untold, PerhapsContrary, Contrary };

    Judgement judgement = NotMeasured;
    FigureDifference ends{}; ///< of the last point to the first
    Neighbours neighbours = Neighbours::Sure; ///< the worst, between points `at` and `at` + 1
    std::size_t at = 0;
    FigureDifference step{}; ///< of these two
};

/// It rises if the ends are apart that way and so are all neighbours, or as good as equal: each by its own interval,
/// since all must be. One pair against it is enough, so these intervals hold at once.
Trend trendOf(const Figure& figure, const Points& points, bool isRising)
{
    using enum Trend::Neighbours;
    Trend trend;
    trend.ends = differenceOf(figure, points.front(), points.back());
    const std::size_t pairs = points.size() - 1;
    for (std::size_t i = 0; i < pairs; ++i) {
        const FigureDifference step = differenceOf(figure, points[i], points[i + 1]);
        const Certainty certainty = certaintyOf(figure, step);
        const bool isContrary = certainty == Certainty::Apart && (step.difference > 0.0) != isRising;
        const bool isAtOnce
            = certaintyOf(figure, differenceOf(figure, points[i], points[i + 1], pairs)) == Certainty::Apart;
        const Trend::Neighbours found = isContrary && isAtOnce ? Contrary
            : isContrary                                       ? PerhapsContrary
            : certainty == Certainty::Unknown                  ? Untold
                                                               : Sure;
        if (found > trend.neighbours) {
            trend.neighbours = found;
            trend.at = i;
            trend.step = step;
        }
    }
    const Certainty ofEnds = certaintyOf(figure, trend.ends);
    const bool isOpposite = ofEnds == Certainty::Apart && (trend.ends.difference > 0.0) != isRising;
    trend.judgement = trend.neighbours == Contrary || isOpposite || ofEnds == Certainty::Close ? DoesNotHold
        : ofEnds == Certainty::Apart && trend.neighbours == Sure                               ? Holds
                                                                                               : CannotBeTold;
    return trend;
}

std::string_view patternOf(const Trend& trend, std::size_t points)
{
    const bool isInPoints = trend.ends.isInPoints;
    if (points > 2 && trend.judgement != Holds) {
        switch (trend.neighbours) {
        case Trend::Neighbours::Sure:
            break;
        case Trend::Neighbours::Untold:
            return isInPoints
                ? LS_TR("Findings",
                    "%1 at %2 %4 against %3: %5 points (n = %6). From %7 to %8 this cannot be told: %9 points.")
                : LS_TR("Findings",
                    "%1 at %2 %4 is %5 times that at %3 (n = %6). From %7 to %8 this cannot be told: %9 times.");
        case Trend::Neighbours::PerhapsContrary:
            return isInPoints
                ? LS_TR("Findings",
                    "%1 at %2 %4 against %3: %5 points (n = %6). From %7 to %8 it may go the other way, perhaps by "
                    "chance: %9 points.")
                : LS_TR("Findings",
                    "%1 at %2 %4 is %5 times that at %3 (n = %6). From %7 to %8 it may go the other way, perhaps by "
                    "chance: %9 times.");
        case Trend::Neighbours::Contrary:
            return isInPoints
                ? LS_TR("Findings",
                    "%1 at %2 %4 against %3: %5 points (n = %6). From %7 to %8 it goes the other way: %9 points.")
                : LS_TR("Findings",
                    "%1 at %2 %4 is %5 times that at %3 (n = %6). From %7 to %8 it goes the other way: %9 times.");
        }
    }
    return isInPoints ? LS_TR("Findings", "%1 at %2 %4 against %3: %5 points (n = %6).")
                      : LS_TR("Findings", "%1 at %2 %4 is %5 times that at %3 (n = %6).");
}

/// What was measured along the line, in numbers.
analysis::Finding trendSentence(
    const Trend& trend, const Figure& figure, const experiment::Parameter& parameter, const Points& points)
{
    const auto valueAt = [&](std::size_t place) {
        return experiment::toText(analysis::studyValue(*points[place].front(), parameter));
    };
    analysis::Finding sentence{.kind = ClaimOfTrend, .pattern = patternOf(trend, points.size())};
    std::string from = valueAt(0);
    std::string to = valueAt(points.size() - 1);
    if (!trend.ends.isInPoints && trend.ends.difference < 0.0) {
        std::swap(from, to);
    }
    const std::size_t repeats = std::ranges::min(points, {}, &Points::value_type::size).size();
    const std::size_t after = std::min(trend.at + 1, points.size() - 1);
    sentence.arguments = {std::string(figure.label), std::string(parameter.label), from, to,
        differenceWords(figure, trend.ends).amount, std::to_string(repeats), valueAt(trend.at), valueAt(after),
        trend.ends.isInPoints ? differenceWords(figure, trend.step).amount : ratioText(trend.step)};
    sentence.labels = {0, 1};
    sentence.moreRepeats = trend.judgement == CannotBeTold
        ? std::max(moreRepeatsFor(figure, trend.ends), moreRepeatsFor(figure, trend.step))
        : 0;
    return sentence;
}

Verdict verdictOfTrend(const Claim& claim, const Figure& figure, std::span<const RunRecord> runs)
{
    analysis::RunPointers all;
    std::ranges::transform(runs, std::back_inserter(all), [](const RunRecord& run) { return &run; });
    const analysis::ParameterStudy study = parameterStudy(all, figure, claim.parameter, {});
    const bool isOf = study.first && study.first->parameter->name == claim.parameter && study.first->isNumeric();
    const experiment::Parameter* parameter = experiment::findParameter(claim.parameter);
    Verdict verdict;
    verdict.sentence = {.kind = ClaimOfTrend,
        .pattern = LS_TR("Findings", "%1 along %2: there are no finished runs of two values yet."),
        .arguments = {std::string(figure.label), std::string(parameter->label)},
        .labels = {0, 1}};
    std::vector<CountedVariant> compared;
    for (const analysis::StudyLine& line : isOf ? study.lines : std::vector<analysis::StudyLine>()) {
        const Points points = pointsOf(line, figure, runs);
        if (points.size() < 2) {
            continue;
        }
        const Trend trend = trendOf(figure, points, claim.kind == ClaimKind::Rises);
        // Of several lines it must hold in each; one against it is enough.
        const bool isWorse = verdict.judgement == NotMeasured || trend.judgement == DoesNotHold
            || (trend.judgement == CannotBeTold && verdict.judgement == Holds);
        if (isWorse && verdict.judgement != DoesNotHold) {
            verdict.judgement = trend.judgement;
            verdict.difference = trend.ends;
            verdict.repeats = std::ranges::min(points, {}, &Points::value_type::size).size();
            verdict.sentence = trendSentence(trend, figure, *parameter, points);
        }
        for (const auto& point : points) {
            compared.push_back({analysis::variantName(*point.front()), point});
        }
    }
    verdict.moreRepeats = verdict.sentence.moreRepeats;
    for (const CountedVariant& each : compared) {
        verdict.sentence.addRuns(each.ids());
    }
    if (verdict.judgement != NotMeasured) {
        takeDoubt(verdict, doubtOf(ClaimOfTrend, figure, compared));
    }
    return verdict;
}

bool isTrend(ClaimKind kind)
{
    return kind == ClaimKind::Rises || kind == ClaimKind::Falls;
}

Result<void> checkVariantName(const std::string& name, const experiment::Spec& spec)
{
    const bool isThere = spec.variants.empty()
        ? name == spec.experiment
        : std::ranges::find(spec.variants, name, &experiment::Variant::name) != spec.variants.end();
    return isThere ? Result<void>()
                   : failure(LS_TR("Messages", "the experiment has no variant \"%1\""), {verbatim(name)});
}

} // namespace

std::string_view nameOf(Judgement judgement)
{
    constexpr std::string_view Names[] = {"not_measured", "holds", "does_not_hold", "cannot_be_told"};
    return Names[static_cast<std::size_t>(judgement)];
}

Result<void> checkClaim(const Claim& claim, const experiment::Spec& spec)
{
    constexpr std::size_t LongestClaim = 20'000;
    constexpr double MostPercent = 1e6;
    const Figure* figure = analysis::findFigure(claim.figure);
    if (figure == nullptr || figure->label.empty()) {
        return failure(LS_TR("Messages", "choose a figure"));
    }
    if (claim.text.size() > LongestClaim) {
        return failure(LS_TR("Messages", "the text has more than %1 bytes"), {LongestClaim});
    }
    if (isTrend(claim.kind)) {
        const experiment::Parameter* parameter = experiment::findParameter(claim.parameter);
        const bool isNumber = parameter != nullptr && analysis::StudyParameter{parameter, {}}.isNumeric();
        return isNumber ? Result<void>() : failure(LS_TR("Messages", "choose a parameter that is a number"));
    }
    LOCKSTEP_TRY(checkVariantName(claim.variant, spec));
    LOCKSTEP_TRY(checkVariantName(claim.against, spec));
    if (claim.variant == claim.against) {
        return failure(LS_TR("Messages", "choose two variants"));
    }
    const bool isAmount = std::isfinite(claim.percent) && claim.percent >= 0.0 && claim.percent <= MostPercent;
    const bool isPossible = claim.kind != ClaimKind::Less || claim.percent < Hundred;
    return isAmount && isPossible
        ? Result<void>()
        : failure(LS_TR("Messages", "the amount must be at least 0 %, and below 100 % of a claim that it is less"));
}

Verdict verdictOf(const Claim& claim, std::span<const RunRecord> runs)
{
    const Figure* figure = analysis::findFigure(claim.figure);
    if (figure == nullptr || (isTrend(claim.kind) && experiment::findParameter(claim.parameter) == nullptr)) {
        return {};
    }
    return isTrend(claim.kind) ? verdictOfTrend(claim, *figure, runs) : verdictOfPair(claim, *figure, runs);
}

analysis::Finding statedClaim(const Claim& claim, const experiment::Spec& spec)
{
    const auto [variant, against] = namesApart(spec, claim.variant, claim.against);
    const Figure* figure = analysis::findFigure(claim.figure);
    const experiment::Parameter* parameter = experiment::findParameter(claim.parameter);
    const bool isInPoints = figure != nullptr && figure->kind == analysis::FigureKind::Share;
    const bool isByAny = claim.percent == 0.0;
    analysis::Finding stated;
    stated.kind = "laboratory.claimed";
    stated.arguments = {figure == nullptr ? claim.figure : std::string(figure->label), variant, against,
        QString::number(claim.percent, 'g', 4).toStdString()};
    stated.labels = {0};
    switch (claim.kind) {
    case ClaimKind::Less:
        stated.pattern = isByAny ? LS_TR("Findings", "%1 of %2 is less than that of %3.")
            : isInPoints         ? LS_TR("Findings", "%1 of %2 is less than that of %3 by at least %4 points.")
                                 : LS_TR("Findings", "%1 of %2 is less than that of %3 by at least %4 %.");
        return stated;
    case ClaimKind::Greater:
        stated.pattern = isByAny ? LS_TR("Findings", "%1 of %2 is greater than that of %3.")
            : isInPoints         ? LS_TR("Findings", "%1 of %2 is greater than that of %3 by at least %4 points.")
                                 : LS_TR("Findings", "%1 of %2 is greater than that of %3 by at least %4 %.");
        return stated;
    case ClaimKind::NoDifference:
        stated.pattern = LS_TR("Findings", "%1 of %2 and %3: no difference worth naming.");
        return stated;
    case ClaimKind::Rises:
    case ClaimKind::Falls:
        break;
    }
    stated.pattern = claim.kind == ClaimKind::Rises ? LS_TR("Findings", "%1 rises with %2.")
                                                    : LS_TR("Findings", "%1 falls with %2.");
    stated.arguments[1] = parameter == nullptr ? claim.parameter : std::string(parameter->label);
    stated.labels = {0, 1};
    return stated;
}

std::optional<analysis::Finding> testedRuns(const Verdict& verdict)
{
    if (verdict.judgement == NotMeasured) {
        return std::nullopt;
    }
    analysis::Finding tested;
    tested.kind = "laboratory.tested";
    tested.pattern = verdict.otherRuns == 0
        ? LS_TR("Findings", "Tested on %1 runs, by the 95 % confidence interval.")
        : LS_TR("Findings",
            "Tested on the %1 newest runs, by the 95 % confidence interval; %2 runs with other settings do not count.");
    tested.arguments = {std::to_string(verdict.sentence.runs.size()), std::to_string(verdict.otherRuns)};
    tested.runs = verdict.sentence.runs;
    return tested;
}

} // namespace lockstep::laboratory
