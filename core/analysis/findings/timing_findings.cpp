#include "analysis/answers/standing.h"
#include "analysis/figures/comparison.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace lockstep::analysis {

namespace {

constexpr std::string_view Difference = "timing.difference";
constexpr std::string_view NoDifference = "timing.no_difference";
constexpr std::string_view UnknownDifference = "timing.unknown";
constexpr std::string_view DoubtfulDifference = "timing.doubtful";

enum class Outcome { Differ, Doubtful, Alike, CannotTell };

bool isOfTime(const Comparison& of)
{
    return of.figure == "ms_per_step";
}

/// As the answer judges the same interval.
Outcome outcomeOf(const Comparison& of)
{
    const Figure& figure = figureOf(isOfTime(of) ? &Summary::msPerStepTypical : &Summary::samplesPerSecondTypical);
    const RelativeDifference& difference = of.difference;
    switch (certaintyOf(figure,
        {.difference = difference.difference, .low = difference.low, .high = difference.high, .n = difference.n})) {
    case Certainty::Close:
        return Outcome::Alike;
    case Certainty::Unknown:
        return Outcome::CannotTell;
    case Certainty::Apart:
        break;
    }
    return of.isDoubtful ? Outcome::Doubtful : of.isByChance ? Outcome::CannotTell : Outcome::Differ;
}

constexpr double Half = 0.5; ///< timesText() writes smaller ratios as fractions

/// So many times as much, or a part of it: as one says them.
std::string_view patternOf(const Comparison& of)
{
    const double ratio = 1.0 + of.difference.difference;
    if (ratio >= Half) {
        return isOfTime(of) ? LS_TR("Findings", "%2 takes %3 times as long per step as %1.")
                            : LS_TR("Findings", "%2 processes %3 times as many samples per second as %1.");
    }
    return isOfTime(of) ? LS_TR("Findings", "%2 takes %3 of the time of %1 per step.")
                        : LS_TR("Findings", "%2 processes %3 of the samples of %1 per second.");
}

std::string timesOf(const RelativeDifference& difference)
{
    return timesText(1.0 + difference.difference, 1.0 + difference.low, 1.0 + difference.high);
}

/// Of more variants a table of all that differ.
constexpr std::size_t MostCompared = MostNamed;

Finding findingOf(const Comparison& of)
{
    const RelativeDifference& difference = of.difference;
    return {.kind = Difference,
        .pattern = patternOf(of),
        .arguments = {of.baseline, of.run, timesOf(difference)},
        .figures = {{"difference", difference.difference}, {"low", difference.low}, {"high", difference.high},
            {"n", static_cast<double>(difference.n)}},
        .runs = of.runs};
}

Finding tableOf(const std::vector<Comparison>& many)
{
    const bool isTime = isOfTime(many.front());
    Finding finding{.kind = Difference,
        .pattern = isTime ? LS_TR("Findings", "Time per step, as a multiple of that of %1.")
                          : LS_TR("Findings", "Samples per second, as a multiple of those of %1."),
        .arguments = {many.front().baseline},
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Multiple")}, {}}};
    for (const Comparison& of : many) {
        finding.hasDoubtful = finding.hasDoubtful || of.isDoubtful;
        finding.table.rows.push_back(
            {of.run, timesOf(of.difference) + (of.isDoubtful ? std::string(DoubtMark) : std::string())});
        finding.figures.emplace_back("difference_" + of.runKey, of.difference.difference);
        finding.addRuns(of.runs);
    }
    return finding;
}

/// That may tell all of these; 0 where one of them needs too many, and of blocks, which are no repeats.
std::size_t moreRepeatsFor(const std::vector<Comparison>& many)
{
    std::size_t most = 0;
    for (const Comparison& of : many) {
        const double low = std::log1p(of.difference.low);
        const double high = std::log1p(of.difference.high);
        const std::size_t more = of.unit == "seed"
            ? moreRepeatsToTell(
                {(low + high) / 2.0, (high - low) / 2.0, of.difference.n}, std::log1p(SmallDifference), Sides::Paired)
            : 0;
        if (more == 0) {
            return 0;
        }
        most = std::max(most, more);
    }
    return most;
}

/// One line for all that do not differ by an amount worth naming, or of which that cannot be told.
Finding lineOf(const std::vector<Comparison>& many, Outcome outcome)
{
    const bool areAlike = outcome == Outcome::Alike;
    const std::string_view pattern = isOfTime(many.front())
        ? (areAlike ? LS_TR("Findings", "Time per step: no difference worth naming between %1 and %2.")
                    : LS_TR("Findings", "Time per step: whether %1 differs from %2 cannot be told."))
        : (areAlike ? LS_TR("Findings", "Samples per second: no difference worth naming between %1 and %2.")
                    : LS_TR("Findings", "Samples per second: whether %1 differs from %2 cannot be told."));
    Finding finding{.kind = areAlike ? NoDifference : UnknownDifference,
        .pattern = pattern,
        .arguments = {many.front().baseline, fewOf(many, &Comparison::run)},
        .moreRepeats = areAlike ? 0 : moreRepeatsFor(many)};
    for (const Comparison& of : many) {
        finding.figures.emplace_back("difference_" + of.runKey, of.difference.difference);
        finding.figures.emplace_back("low_" + of.runKey, of.difference.low);
        finding.figures.emplace_back("high_" + of.runKey, of.difference.high);
        finding.addRuns(of.runs);
    }
    return finding;
}

/// Those that came out faster than the cores allow, without their ratios.
Finding doubtOf(const std::vector<Comparison>& many)
{
    Finding finding{.kind = DoubtfulDifference,
        .pattern
        = LS_TR("Findings", "%2 came out faster against %1 than this machine's cores allow: do not trust these times."),
        .arguments = {many.front().baseline, fewOf(many, &Comparison::run)}};
    for (const Comparison& of : many) {
        finding.figures.emplace_back("difference_" + of.runKey, of.difference.difference);
        finding.addRuns(of.runs);
    }
    return finding;
}

/// Of one figure.
void addFindings(const std::vector<Comparison>& all, std::vector<Finding>& findings)
{
    // A table holds all that differ, those to be doubted with a mark.
    const auto differ = std::ranges::count_if(all,
        [](const Comparison& of) { return outcomeOf(of) == Outcome::Differ || outcomeOf(of) == Outcome::Doubtful; });
    const bool isTable = static_cast<std::size_t>(differ) > MostCompared;
    for (const Outcome outcome : {Outcome::Doubtful, Outcome::Differ, Outcome::Alike, Outcome::CannotTell}) {
        std::vector<Comparison> some;
        std::ranges::copy_if(all, std::back_inserter(some), [&](const Comparison& of) {
            return outcomeOf(of) == outcome
                || (isTable && outcome == Outcome::Differ && outcomeOf(of) == Outcome::Doubtful);
        });
        if (some.empty() || (isTable && outcome == Outcome::Doubtful)) {
            continue;
        }
        if (outcome == Outcome::Doubtful) {
            findings.push_back(doubtOf(some));
        } else if (outcome != Outcome::Differ) {
            findings.push_back(lineOf(some, outcome));
        } else if (isTable) {
            findings.push_back(tableOf(some));
        } else {
            std::ranges::transform(
                some, std::back_inserter(findings), [](const Comparison& of) { return findingOf(of); });
        }
    }
}

} // namespace

std::vector<Finding> timingFindings(std::span<const RunRecord> runs)
{
    std::vector<Comparison> all = comparisons(runs);
    std::erase_if(all,
        [](const Comparison& of) { return !std::isfinite(of.difference.low) || !std::isfinite(of.difference.high); });
    const auto rest = std::ranges::stable_partition(all, isOfTime);
    std::vector<Finding> findings;
    addFindings({all.begin(), rest.begin()}, findings);
    addFindings({rest.begin(), rest.end()}, findings);
    return findings;
}

} // namespace lockstep::analysis
