#include "analysis/collectives_findings.h"

#include "analysis/bandwidth.h"
#include "analysis/link_fit.h"
#include "analysis/numbers.h"
#include "analysis/run_groups.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace lockstep::analysis {

namespace {

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
    finding.pattern = LS_TR("Findings", "%1 gave WRONG results: %2 elements differ from the expected values.");
    finding.arguments = {run.spec.name, grouped(wrong)};
    finding.figures = {{"wrong", static_cast<double>(wrong)}};
    finding.runs = {run.id};
    findings.push_back(std::move(finding));
}

void fitted(const Group& group, std::vector<Finding>& findings)
{
    const auto fit = linkOf(group.runs);
    if (!fit) {
        return;
    }
    const double gigabytes = fit->link.beta > 0.0 ? 1e-9 / fit->link.beta : NotMeasured;
    Finding finding;
    finding.kind = "collectives.fit";
    finding.pattern = LS_TR("Findings",
        "%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s (alpha and beta fitted to its sizes; half of the "
        "measurements are within %5 of the fit).");
    finding.arguments = {group.name, std::to_string(ranksOf(*group.runs.front())), threeDigits(fit->link.alpha * 1e6),
        threeDigits(gigabytes), percent(fit->residual)};
    finding.figures = {{"alpha_us", fit->link.alpha * 1e6}, {"beta_gb_per_s", gigabytes}, {"residual", fit->residual}};
    finding.runs = group.ids();
    findings.push_back(std::move(finding));
}

/// The fastest at each size, from small to large; of repeats the median of their times counts.
void fastest(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    std::map<double, std::pair<double, const Group*>> best;
    for (const Group& group : groups) {
        std::map<double, std::vector<double>> times;
        for (const RunRecord* run : group.runs) {
            for (const Measurement& time : measurementsOf(*run)) {
                times[time.bytes].push_back(time.seconds);
            }
        }
        for (auto& [bytes, seconds] : times) {
            const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
            std::nth_element(seconds.begin(), middle, seconds.end());
            const auto found = best.find(bytes);
            if (found == best.end() || *middle < found->second.first) {
                best[bytes] = {*middle, &group};
            }
        }
    }
    if (groups.size() < 2 || best.size() < 2) {
        return;
    }
    const Group* small = best.begin()->second.second;
    const Group* large = best.rbegin()->second.second;
    Finding finding;
    finding.kind = "collectives.fastest";
    finding.runs = small->ids();
    const auto others = large == small ? std::vector<RunId>() : large->ids();
    finding.runs.insert(finding.runs.end(), others.begin(), others.end());
    if (small == large) {
        finding.pattern
            = LS_TR("Findings", "%1 is the fastest at the smallest size (%2: %3 µs) and at the largest (%4: %5 µs).");
    } else {
        finding.pattern = LS_TR("Findings",
            "%1 is the fastest at the smallest size (%2: %3 µs), %6 at the largest (%4: %5 µs); from %7 on, %1 is no "
            "longer the fastest.");
    }
    const auto changed
        = std::find_if(best.begin(), best.end(), [&](const auto& each) { return each.second.second != small; });
    finding.arguments = {small->name, bytesText(best.begin()->first), threeDigits(best.begin()->second.first * 1e6),
        bytesText(best.rbegin()->first), threeDigits(best.rbegin()->second.first * 1e6), large->name,
        changed == best.end() ? std::string() : bytesText(changed->first)};
    finding.figures
        = {{"smallest_us", best.begin()->second.first * 1e6}, {"largest_us", best.rbegin()->second.first * 1e6},
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
    const std::vector<Group> groups = groupsOf(runs);
    fastest(groups, findings);
    for (const Group& group : groups) {
        fitted(group, findings);
    }
    return findings;
}

} // namespace lockstep::analysis
