#include "analysis/collectives_findings.h"

#include "analysis/bandwidth.h"
#include "analysis/comm_cost.h"
#include "analysis/numbers.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace lockstep::analysis {

namespace {

/// What is fitted and compared: in place where there is that, as training does it.
std::vector<Measurement> timesOf(const RunRecord& run)
{
    const bool hasInPlace = std::any_of(
        run.measurements.begin(), run.measurements.end(), [](const CollectiveMeasurement& each) { return each.inPlace; });
    std::vector<Measurement> times;
    for (const CollectiveMeasurement& each : run.measurements) {
        if (each.inPlace == hasInPlace && each.bytes > 0 && each.p50Us > 0.0) {
            times.push_back({static_cast<double>(each.bytes), each.p50Us * 1e-6});
        }
    }
    return times;
}

std::string bytesText(double bytes)
{
    return bytes >= 1e6 ? threeDigits(bytes / 1e6) + " MB"
        : bytes >= 1e3  ? threeDigits(bytes / 1e3) + " kB"
                        : threeDigits(bytes) + " B";
}

void wrongOnes(const RunRecord& run, std::vector<Finding>& findings)
{
    std::int64_t wrong = 0;
    for (const CollectiveMeasurement& each : run.measurements) {
        wrong += each.wrong;
    }
    if (wrong == 0) {
        return;
    }
    Finding finding;
    finding.kind = "collectives.wrong";
    finding.pattern = LS_TR("Findings", "%1 gave WRONG results: %2 elements are not what they must be.");
    finding.arguments = {run.spec.name, grouped(wrong)};
    finding.figures = {{"wrong", static_cast<double>(wrong)}};
    finding.runs = {run.id};
    findings.push_back(std::move(finding));
}

void fitted(const RunRecord& run, std::vector<Finding>& findings)
{
    const auto times = timesOf(run);
    const bool isAllReduce = run.spec.text("collective.name") == "all_reduce";
    const auto cost = isAllReduce ? algorithmCost(run.spec.text("aggregation.algorithm"), ranksOf(run))
                                  : std::optional<AlgorithmCost>();
    if (!cost || cost->messages <= 0.0) {
        return;
    }
    const auto fit = fitLink(times, *cost);
    if (!fit) {
        return;
    }
    const double gigabytes = fit->link.beta > 0.0 ? 1e-9 / fit->link.beta : NotMeasured;
    Finding finding;
    finding.kind = "collectives.fit";
    finding.pattern = LS_TR("Findings",
        "%1 on %2 ranks behaves as messages of %3 µs and %4 GB/s would (alpha and beta fitted to its sizes; half of the "
        "measurements are within %5 of that).");
    finding.arguments = {run.spec.name, std::to_string(ranksOf(run)), threeDigits(fit->link.alpha * 1e6),
        threeDigits(gigabytes), percent(fit->residual)};
    finding.figures
        = {{"alpha_us", fit->link.alpha * 1e6}, {"beta_gb_per_s", gigabytes}, {"residual", fit->residual}};
    finding.runs = {run.id};
    findings.push_back(std::move(finding));
}

/// The fastest at each size, from small to large.
void fastest(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    std::map<double, std::pair<double, const RunRecord*>> best;
    for (const RunRecord& run : runs) {
        for (const Measurement& time : timesOf(run)) {
            const auto found = best.find(time.bytes);
            if (found == best.end() || time.seconds < found->second.first) {
                best[time.bytes] = {time.seconds, &run};
            }
        }
    }
    if (runs.size() < 2 || best.size() < 2) {
        return;
    }
    const RunRecord* small = best.begin()->second.second;
    const RunRecord* large = best.rbegin()->second.second;
    Finding finding;
    finding.kind = "collectives.fastest";
    finding.runs = {small->id, large->id};
    if (small == large) {
        finding.pattern = LS_TR("Findings", "%1 is the fastest at the smallest size (%2: %3 µs) and at the largest (%4: %5 µs).");
    } else {
        finding.pattern = LS_TR("Findings",
            "%1 is the fastest at the smallest size (%2: %3 µs), %6 at the largest (%4: %5 µs); from %7 on %1 is no longer "
            "the fastest.");
    }
    const auto changed = std::find_if(best.begin(), best.end(), [&](const auto& each) { return each.second.second != small; });
    finding.arguments = {small->spec.name, bytesText(best.begin()->first), threeDigits(best.begin()->second.first * 1e6),
        bytesText(best.rbegin()->first), threeDigits(best.rbegin()->second.first * 1e6), large->spec.name,
        changed == best.end() ? std::string() : bytesText(changed->first)};
    finding.figures = {{"smallest_us", best.begin()->second.first * 1e6}, {"largest_us", best.rbegin()->second.first * 1e6},
        {"crossover_bytes", changed == best.end() ? NotMeasured : changed->first}};
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> collectivesFindings(std::span<const RunRecord> runs)
{
    std::vector<Finding> findings;
    for (const RunRecord& run : runs) {
        wrongOnes(run, findings);
    }
    fastest(runs, findings);
    for (const RunRecord& run : runs) {
        fitted(run, findings);
    }
    return findings;
}

} // namespace lockstep::analysis
