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

std::string signedPercent(double fraction)
{
    return signedOnePlace(fraction * 100.0) + " %";
}

/// What a comparison says. Alike: the interval holds 0 and no difference worth naming.
enum class Outcome { Differ, Alike, CannotTell };

Outcome outcomeOf(const RelativeDifference& difference)
{
    if (!difference.holdsZero()) {
        return Outcome::Differ;
    }
    return isSmallDifference(difference.low, difference.high) ? Outcome::Alike : Outcome::CannotTell;
}

/// Of what the measurement says: `measured in turns, 12 blocks each`.
Text measuredOn(const Comparison& of)
{
    return {of.unit == "block"  ? LS_TR("Messages", "measured in turns, %1 blocks each")
            : of.unit == "seed" ? LS_TR("Messages", "%1 seeds each")
                                : LS_TR("Messages", "at least %1 runs each"),
        {of.difference.n}};
}

std::string_view patternOf(Outcome outcome, bool isTime)
{
    switch (outcome) {
    case Outcome::Differ:
        return isTime ? LS_TR("Findings",
                   "The time per step of %2 differs from that of %1 by %3 (95 % confidence interval %4 to %5; %6).")
                      : LS_TR("Findings",
                          "The samples per second of %2 differ from those of %1 by %3 (95 % confidence interval %4 to "
                          "%5; %6).");
    case Outcome::Alike:
        return isTime
            ? LS_TR("Findings",
                "%1 and %2 take the same time per step to within 10 %: the 95 % confidence interval of the "
                "difference is %4 to %5 (%6).")
            : LS_TR("Findings",
                "%1 and %2 process the same number of samples per second to within 10 %: the 95 % confidence interval "
                "of the difference is %4 to %5 (%6).");
    case Outcome::CannotTell:
        break;
    }
    return isTime ? LS_TR("Findings",
               "Whether the times per step of %1 and %2 differ cannot be told: the 95 % confidence interval of the "
               "difference is %4 to %5 (%6).")
                  : LS_TR("Findings",
                      "Whether the samples per second of %1 and %2 differ cannot be told: the 95 % confidence interval "
                      "of the difference is %4 to %5 (%6).");
}

/// Of many variants one sentence for all that differ alike: in the same figure, with as many blocks or seeds.
constexpr std::size_t MostCompared = 6;

Finding findingOf(const Comparison& of)
{
    const RelativeDifference& difference = of.difference;
    const Outcome outcome = outcomeOf(difference);
    const bool isTime = of.figure == "ms_per_step";
    return {.kind = outcome == Outcome::Differ ? Difference
            : outcome == Outcome::Alike        ? NoDifference
                                               : UnknownDifference,
        .pattern = patternOf(outcome, isTime),
        .arguments = {of.baseline, of.run, signedPercent(difference.difference), signedPercent(difference.low),
            signedPercent(difference.high), measuredOn(of).english},
        .why = measuredOn(of),
        .figures = {{"difference", difference.difference}, {"low", difference.low}, {"high", difference.high},
            {"n", static_cast<double>(difference.n)}},
        .runs = of.runs};
}

Finding findingOf(const std::vector<Comparison>& many)
{
    Finding finding;
    finding.kind = Difference;
    finding.pattern = many.front().figure == "ms_per_step"
        ? LS_TR("Findings", "The time per step differs from that of %1 by (95 % confidence interval; %3): %2.")
        : LS_TR("Findings", "The samples per second differ from those of %1 by (95 % confidence interval; %3): %2.");
    std::string list;
    for (const Comparison& of : many) {
        list += (list.empty() ? "" : ", ") + of.run + " " + signedPercent(of.difference.difference) + " ["
            + signedOnePlace(of.difference.low * 100.0) + ", " + signedOnePlace(of.difference.high * 100.0) + "]";
        finding.figures.emplace_back("difference_" + of.runKey, of.difference.difference);
        finding.addRuns(of.runs);
    }
    finding.why = measuredOn(many.front());
    finding.arguments = {many.front().baseline, list, finding.why.english};
    return finding;
}

} // namespace

std::vector<Finding> timingFindings(std::span<const RunRecord> runs)
{
    std::vector<Comparison> all = comparisons(runs);
    std::erase_if(all,
        [](const Comparison& of) { return !std::isfinite(of.difference.low) || !std::isfinite(of.difference.high); });
    std::vector<Finding> findings;
    while (!all.empty()) {
        const Comparison first = all.front();
        std::vector<Comparison> alike;
        std::ranges::copy_if(all, std::back_inserter(alike), [&first](const Comparison& of) {
            return !of.difference.holdsZero() && of.figure == first.figure && of.unit == first.unit
                && of.difference.n == first.difference.n;
        });
        if (first.difference.holdsZero() || alike.size() <= MostCompared) {
            findings.push_back(findingOf(first));
            all.erase(all.begin());
            continue;
        }
        findings.push_back(findingOf(alike));
        std::erase_if(all, [&alike](const Comparison& of) {
            return std::ranges::any_of(alike, [&of](const Comparison& told) { return told.run == of.run; });
        });
    }
    return findings;
}

} // namespace lockstep::analysis
