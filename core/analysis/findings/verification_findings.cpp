#include "analysis/findings/laboratories.h"
#include "analysis/findings/verification.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::analysis {

namespace {

constexpr std::string_view Verified = "aggregation.verified";
constexpr std::string_view NotVerified = "aggregation.not_verified";
constexpr std::string_view NotComparable = "aggregation.not_comparable";
/// A difference up to this many times the largest that another order of sums makes is rounding.
constexpr double RoundingTimes = 3.0;
/// Losses that differ by a few units of their last place are equal, whatever other orders make of them.
constexpr double LastPlaces = 4.0;
/// Of a run in float32 by an earlier version, which did not measure other orders: rounding over 50 steps stays far
/// below.
constexpr double UnmeasuredFloat32 = 1e-4;
/// From this drift between orders of sums on, a difference that is no larger shows nothing: an error could hide in it.
constexpr double TellingDrift = 1e-3;
/// Rounding of float64, even where an optimizer amplifies it.
constexpr double Float64Rounding = 1e-9;

/// What counts as the drift of losses that other orders of sums leave as they are.
constexpr double LeastDrift = LastPlaces / RoundingTimes * std::numeric_limits<float>::epsilon();

double largestDrift(const RunRecord& run)
{
    const std::vector<double>& drifts = run.summary.verifyDrifts;
    double largest = LeastDrift;
    for (const double drift : drifts) {
        largest = std::isnan(largest) || drift <= largest ? largest : drift; // NaN stays
    }
    return largest;
}

double allowedDifference(const RunRecord& run)
{
    if (is(run.spec, experiment::WeightType::Float64)) {
        return Float64Rounding;
    }
    return run.summary.verifyDrifts.empty() ? UnmeasuredFloat32 : RoundingTimes * largestDrift(run);
}

enum class Verdict { Equal, Different, Unknown };

Verdict verdictOf(const RunRecord& run)
{
    if (run.summary.verifyMaxRelativeDifference > allowedDifference(run)) {
        return Verdict::Different;
    }
    const bool canTell = is(run.spec, experiment::WeightType::Float64) || run.summary.verifyDrifts.empty()
        || largestDrift(run) < TellingDrift;
    return canTell ? Verdict::Equal : Verdict::Unknown;
}

std::string_view kindOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Equal:
        return Verified;
    case Verdict::Different:
        return NotVerified;
    case Verdict::Unknown:
        break;
    }
    return NotComparable;
}

std::string_view patternOf(const RunRecord& run, Verdict verdict)
{
    if (verdict == Verdict::Unknown) {
        return LS_TR("Findings",
            "Whether %1 learns as a single process does cannot be told in %7. Its losses differ by up to %2, those of "
            "single processes that sum in other orders by %5. A comparison in float64 can tell.");
    }
    const bool isEqual = verdict == Verdict::Equal;
    const bool areUneven = is(run.spec, experiment::Rule::Mean) && experiment::hasReplicas(run.spec)
        && experiment::globalBatch(run.spec) % ranksOf(run) != 0;
    const bool hasDrifts = !run.summary.verifyDrifts.empty();
    if (isEqual) {
        return hasDrifts ? LS_TR("Findings",
                   "%1 learns as a single process does: the losses agree to within %2. That is within rounding: "
                   "single processes that sum in other orders differ by %5.")
                         : LS_TR("Findings", "%1 learns as a single process does: the losses agree to within %2.");
    }
    if (areUneven) {
        return LS_TR("Findings",
            "%1 differs from a single process by up to %2. A batch of %3 cannot be split equally across %4 ranks, and "
            "the mean counts every rank equally. The rule weighted_mean counts samples.");
    }
    if (hasDrifts && largestDrift(run) == LeastDrift) {
        return LS_TR("Findings",
            "%1 differs from a single process by up to %2 of the loss. Single processes that sum in other orders "
            "agree in nearly all digits: they differ by %5. A comparison in float64 tells an error from rounding that "
            "the optimizer amplifies.");
    }
    return hasDrifts
        ? LS_TR("Findings",
            "%1 differs from a single process by up to %2 of the loss. That is %6 times as much as single processes "
            "that sum in other orders, which differ by %5. A comparison in float64 tells an error from rounding that "
            "the optimizer amplifies.")
        : LS_TR("Findings", "%1 differs from a single process by up to %2 of the loss.");
}

Finding cannotTell(const RunRecord& run)
{
    return {.kind = NotComparable,
        .pattern
        = LS_TR("Findings", "%1 cannot be compared with a single process: some of the losses are not finite numbers."),
        .arguments = {displayName(run)},
        .runs = {run.id}};
}

} // namespace

bool isVerified(const RunRecord& run)
{
    return !std::isnan(run.summary.verifyMaxRelativeDifference) || !run.summary.verifyDrifts.empty();
}

bool isVerifiedInFloat32(const RunRecord& run)
{
    return isVerified(run) && is(run.spec, experiment::WeightType::Float32);
}

bool isOfVerification(const Finding& finding)
{
    return finding.kind == Verified || finding.kind == NotVerified || finding.kind == NotComparable;
}

std::vector<Finding> verificationFindings(std::span<const RunRecord> runs)
{
    std::vector<Finding> findings;
    for (const RunRecord& run : runs) {
        if (!isVerified(run)) {
            continue;
        }
        const double difference = run.summary.verifyMaxRelativeDifference;
        const double allowed = allowedDifference(run);
        if (!std::isfinite(difference) || !std::isfinite(allowed)) {
            findings.push_back(cannotTell(run));
            continue;
        }
        const Verdict verdict = verdictOf(run);
        const double times = difference / largestDrift(run);
        std::vector<std::pair<std::string, double>> figures{{"max_relative_difference", difference}};
        if (!run.summary.verifyDrifts.empty()) {
            figures.emplace_back(
                "largest_drift", *std::max_element(run.summary.verifyDrifts.begin(), run.summary.verifyDrifts.end()));
            if (largestDrift(run) > LeastDrift) {
                figures.emplace_back("times_largest_drift", times);
            }
        }
        findings.push_back({.kind = kindOf(verdict),
            .pattern = patternOf(run, verdict),
            .arguments = {displayName(run), verdict == Verdict::Equal ? threeDigits(difference) : percent(difference),
                std::to_string(experiment::globalBatch(run.spec)), std::to_string(ranksOf(run)),
                listed(run.summary.verifyDrifts, threeDigits), threeDigits(times),
                std::string(nameOf(run.spec.settings->train.dtype))},
            .figures = std::move(figures),
            .runs = {run.id}});
    }
    return findings;
}

} // namespace lockstep::analysis
