#include "analysis/timing_findings.h"

#include "analysis/comparison.h"
#include "analysis/numbers.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>

namespace lockstep::analysis {

namespace {

std::string signedPercent(double fraction)
{
    return signedOnePlace(fraction * 100.0) + " %";
}

std::string_view patternOf(const Comparison& of, bool isSeen)
{
    const bool isTime = of.figure == "ms_per_step";
    const bool isOfBlocks = of.unit == "block";
    if (!isSeen) {
        return isTime
            ? (isOfBlocks ? LS_TR("Findings",
                   "No difference in time per step is seen between %1 and %2: the 95 % confidence interval, %4 to %5, "
                   "contains 0 (measured in turns, %6 blocks each).")
                          : LS_TR("Findings",
                              "No difference in time per step is seen between %1 and %2: the 95 % confidence interval, "
                              "%4 to %5, "
                              "contains 0 (%6 seeds each)."))
            : (isOfBlocks ? LS_TR("Findings",
                   "No difference in samples per second is seen between %1 and %2: the 95 % confidence "
                   "interval, %4 to %5, contains 0 (measured in turns, %6 blocks each).")
                          : LS_TR("Findings",
                              "No difference in samples per second is seen between %1 and %2: the 95 % confidence "
                              "interval, %4 to %5, contains 0 (%6 seeds each)."));
    }
    return isTime
        ? (isOfBlocks ? LS_TR("Findings",
               "The time per step of %2 differs from that of %1 by %3 (95 % confidence interval %4 to %5; measured in "
               "turns, %6 blocks each).")
                      : LS_TR("Findings",
                          "The time per step of %2 differs from that of %1 by %3 (95 % confidence interval %4 to %5; "
                          "%6 seeds each)."))
        : (isOfBlocks ? LS_TR("Findings",
               "The samples per second of %2 differ from those of %1 by %3 (95 % confidence interval %4 to %5; "
               "measured in turns, %6 blocks each).")
                      : LS_TR("Findings",
                          "The samples per second of %2 differ from those of %1 by %3 (95 % confidence interval %4 to "
                          "%5; %6 seeds each)."));
}

} // namespace

std::vector<Finding> timingFindings(std::span<const RunRecord> runs)
{
    std::vector<Finding> findings;
    for (const Comparison& of : comparisons(runs)) {
        const RelativeDifference& difference = of.difference;
        if (!std::isfinite(difference.low) || !std::isfinite(difference.high)) {
            continue;
        }
        const bool isSeen = !difference.holdsZero();
        Finding finding;
        finding.kind = isSeen ? "timing.difference" : "timing.no_difference";
        finding.pattern = patternOf(of, isSeen);
        finding.arguments = {of.baseline, of.run, signedPercent(difference.difference), signedPercent(difference.low),
            signedPercent(difference.high), std::to_string(difference.n)};
        finding.figures = {{"difference", difference.difference}, {"low", difference.low}, {"high", difference.high},
            {"n", static_cast<double>(difference.n)}};
        finding.runs = of.runs;
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace lockstep::analysis
