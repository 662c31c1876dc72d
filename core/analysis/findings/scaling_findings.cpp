#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/timing/machine_load.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>

namespace lockstep::analysis {

namespace {

/// Accuracies that differ by less, in points, count as equal.
constexpr double LeastLostPoints = 0.5;

/// ` (comm.backend gloo)` where there are several of the kind.
std::string apartText(const ScalingCurve& curve)
{
    return curve.apart.empty() ? std::string() : " (" + curve.apart + ")";
}

/// A label.
std::string labelOf(const ScalingCurve& curve)
{
    return std::string(curve.kind == Scaling::Strong ? LS_TR("Findings", "Strong scaling (one batch for all ranks)")
                                                     : LS_TR("Findings", "Weak scaling (a batch for each rank)"));
}

/// A sentence about a curve: %1 is its label, %2 what is apart in it.
Finding ofCurve(std::string_view kind, const ScalingCurve& curve)
{
    return {.kind = kind, .arguments = {labelOf(curve), apartText(curve)}, .labels = {0}, .runs = curve.ids()};
}

/// `best`: of the points that the cores can explain; null for none.
std::string_view patternOfGains(const ScalingPoint* best, const ScalingPoint& most, bool isAllExplained)
{
    if (best == nullptr) {
        return LS_TR("Findings",
            "%1%2: on %7 ranks it came out faster than this machine's cores allow: do not trust these times.");
    }
    if (!isAllExplained) {
        return LS_TR("Findings",
            "%1%2: on %3 ranks training is %4 times as fast as on 1 rank. On %7 ranks it came out faster than this "
            "machine's cores allow: do not trust these times.");
    }
    if (best == &most) {
        return LS_TR("Findings", "%1%2: on %3 ranks training is %4 times as fast as on 1 rank.");
    }
    return best->speedUp.mean > 1.0
        ? LS_TR("Findings", "%1%2: on %3 ranks training is %4 times as fast as on 1 rank, on %5 ranks %6 times.")
        : LS_TR("Findings",
            "%1%2: more ranks gain nothing. On %3 ranks training is %4 times as fast as on 1 rank, on %5 ranks %6 "
            "times.");
}

/// Where no run reaches the target: more samples per second, and no net as good.
std::optional<Finding> notReached(const ScalingCurve& curve)
{
    std::vector<std::string> ranks;
    for (const ScalingPoint& point : curve.points) {
        if (curve.points.front().secondsToTarget.n > 0 && point.secondsToTarget.n == 0) {
            ranks.push_back(std::to_string(point.ranks));
        }
    }
    if (ranks.empty()) {
        return std::nullopt;
    }
    return Finding{.pattern = LS_TR("Findings", "but no run on %1 ranks reached a test accuracy of %2"),
        .arguments = {fewOf(ranks), percent(curve.target)}};
}

/// What data parallelism gained.
void gains(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    const ScalingPoint* best = nullptr;
    std::vector<std::string> unexplained;
    Finding finding = ofCurve("scaling.speed_up", curve);
    finding.table.header = {LS_TR("Findings", "Ranks"), LS_TR("Findings", "Time per step (ms)"),
        LS_TR("Findings", "Computing (ms)"), LS_TR("Findings", "Communicating (ms)"), LS_TR("Findings", "Waiting (ms)"),
        LS_TR("Findings", "Multiple of the throughput"), LS_TR("Findings", "Efficiency (%)")};
    for (const ScalingPoint& point : curve.points) {
        const bool isSingle = point.ranks == 1;
        finding.table.rows.push_back({std::to_string(point.ranks), withInterval(point.msPerStep),
            threeDigits(point.computeMs), threeDigits(point.communicateMs), threeDigits(point.waitMs),
            isSingle ? std::string("1")
                     : withInterval(point.speedUp) + (point.isUnexplained() ? std::string(DoubtMark) : std::string()),
            isSingle ? std::string("100")
                     : withInterval(Interval{
                         point.efficiency.mean * 100.0, point.efficiency.halfWidth * 100.0, point.efficiency.n})});
        if (isSingle) {
            continue;
        }
        finding.figures.emplace_back("speed_up_" + std::to_string(point.ranks), point.speedUp.mean);
        finding.figures.emplace_back("efficiency_" + std::to_string(point.ranks), point.efficiency.mean);
        if (point.isUnexplained()) {
            unexplained.push_back(std::to_string(point.ranks));
            finding.figures.emplace_back("explained_speed_up_" + std::to_string(point.ranks), point.mostSpeedUp);
        } else if (best == nullptr || point.speedUp.mean > best->speedUp.mean) {
            best = &point;
        }
    }
    const ScalingPoint& most = curve.points.back();
    finding.pattern = patternOfGains(best, most, unexplained.empty());
    const ScalingPoint& named = best == nullptr ? most : *best;
    for (const ScalingPoint* point : {&named, &most}) {
        finding.arguments.push_back(std::to_string(point->ranks));
        finding.arguments.push_back(withInterval(point->speedUp));
    }
    finding.arguments.push_back(fewOf(unexplained));
    findings.push_back(std::move(finding));
    if (auto none = notReached(curve); none && unexplained.empty()) {
        findings.back().clauses.push_back(std::move(*none));
    }
}

/// The runs of a point, each seed once.
Group groupOf(const ScalingPoint& point, std::span<const RunRecord> runs)
{
    Group group;
    for (const RunRecord& run : runs) {
        if (std::find(point.runs.begin(), point.runs.end(), run.id) != point.runs.end()) {
            addRepeat(group.runs, &run, [](const RunRecord* each) -> const RunRecord& { return *each; });
        }
    }
    return group;
}

/// Of what is missing at the largest number of ranks, against a step that is divided evenly and needs no messages.
std::string_view patternOfTime(bool isMostComputing, bool isCrowded, bool hasWait)
{
    if (!hasWait) {
        return LS_TR("Findings",
            "%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Computing takes %6 ms of it (on 1 rank %9), "
            "communicating and waiting %7.");
    }
    if (!isMostComputing) {
        return LS_TR("Findings",
            "%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Computing takes %6 ms of it (on 1 rank %9). Most "
            "is lost in communicating (%7 ms) and waiting (%8 ms).");
    }
    return isCrowded ? LS_TR("Findings",
               "%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Communicating takes %7 ms of it, waiting %8. "
               "Most is lost in computing (%6 ms, ideally %9): the ranks share the cores.")
                     : LS_TR("Findings",
                         "%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Communicating takes %7 ms of it, "
                         "waiting %8. Most is lost in computing (%6 ms, ideally %9).");
}

/// Where the time went at the largest number of ranks, against the single process.
void whereTimeWent(const ScalingCurve& curve, std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    const ScalingPoint& single = curve.points.front();
    const ScalingPoint& most = curve.points.back();
    if (!std::isfinite(most.computeMs)) {
        return;
    }
    const double ideal = curve.kind == Scaling::Strong ? single.computeMs / most.ranks : single.computeMs;
    const bool hasWait = std::isfinite(most.waitMs);
    const double apart = most.communicateMs + (hasWait ? most.waitMs : 0.0);
    const bool isMostComputing = hasWait && most.computeMs - ideal > apart;
    Finding finding = ofCurve("scaling.time", curve);
    finding.pattern = patternOfTime(isMostComputing, sharesCores(*groupOf(most, runs).runs.front()), hasWait);
    for (const std::string& argument :
        {std::to_string(most.ranks), estimateText(figureOf(&Summary::msPerStepTypical), most.msPerStep),
            estimateText(figureOf(&Summary::msPerStepTypical), single.msPerStep), threeDigits(most.computeMs),
            threeDigits(most.communicateMs), threeDigits(most.waitMs),
            threeDigits(isMostComputing ? ideal : single.computeMs)}) {
        finding.arguments.push_back(argument);
    }
    finding.figures = {{"ms_per_step", most.msPerStep.mean}, {"compute_ms", most.computeMs},
        {"communicate_ms", most.communicateMs}, {"wait_ms", most.waitMs}, {"single_ms_per_step", single.msPerStep.mean},
        {"single_compute_ms", single.computeMs}};
    finding.runs = most.runs;
    finding.addRuns(single.runs);
    findings.push_back(std::move(finding));
}

/// Time to the target accuracy, which more ranks may reach later although they are faster.
void toTarget(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    const double target = curve.target;
    if (!std::isfinite(target)) {
        return;
    }
    const auto reaches = [](const ScalingPoint& point) { return point.secondsToTarget.n; };
    const bool isReachedByAll = std::ranges::all_of(
        curve.points, [&](const ScalingPoint& point) { return reaches(point) == point.runs.size(); });
    Finding finding = ofCurve("scaling.time_to_accuracy", curve);
    finding.table.header = {LS_TR("Findings", "Ranks"), LS_TR("Findings", "Seconds")};
    if (!isReachedByAll) {
        finding.table.header.push_back(LS_TR("Findings", "Runs that reach it"));
    }
    for (const ScalingPoint& point : curve.points) {
        finding.table.rows.push_back(
            {std::to_string(point.ranks), reaches(point) > 0 ? withInterval(point.secondsToTarget) : std::string("–")});
        if (!isReachedByAll) {
            finding.table.rows.back().push_back(fmt::format("{}/{}", reaches(point), point.runs.size()));
        }
        if (reaches(point) > 0) {
            finding.figures.emplace_back("seconds_" + std::to_string(point.ranks), point.secondsToTarget.mean);
        }
    }
    if (std::ranges::all_of(curve.points, [&](const ScalingPoint& point) { return reaches(point) == 0; })) {
        return;
    }
    finding.pattern = isReachedByAll
        ? LS_TR("Findings", "%1%2: seconds to the first evaluation with a test accuracy of %3.")
        : LS_TR(
            "Findings", "%1%2: seconds to the first evaluation with a test accuracy of %3; – where no run reaches it.");
    finding.arguments.push_back(percent(target));
    finding.figures.emplace_back("target_accuracy", target);
    findings.push_back(std::move(finding));
}

/// Fewer, larger steps learn less in an epoch.
void largeBatches(const ScalingCurve& curve, std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    const ScalingPoint& single = curve.points.front();
    const ScalingPoint& most = curve.points.back();
    const double lost = (single.accuracy.mean - most.accuracy.mean) * 100.0;
    if (curve.kind != Scaling::Weak || !(lost >= LeastLostPoints)
        || isApart(differenceOf(groupOf(most, runs), groupOf(single, runs), testAccuracyOf)) == Apart::No) {
        return;
    }
    Finding finding;
    finding.kind = "scaling.large_batch";
    finding.pattern = LS_TR("Findings",
        "%1 ranks with a batch each reach a test accuracy of %2, 1 rank %3. They take %4 steps of %5 samples instead "
        "of "
        "%6 of %7.");
    finding.arguments = {std::to_string(most.ranks), estimateText(figureOf(&Summary::testAccuracy), most.accuracy),
        estimateText(figureOf(&Summary::testAccuracy), single.accuracy), grouped(most.steps), grouped(most.batch),
        grouped(single.steps), grouped(single.batch)};
    finding.figures
        = {{"points_lost", lost}, {"accuracy", most.accuracy.mean}, {"single_accuracy", single.accuracy.mean}};
    finding.runs = most.runs;
    finding.addRuns(single.runs);
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> scalingFindings(
    std::span<const RunRecord> all, const std::map<std::string, Scales>& scales, Interfered which)
{
    std::vector<RunRecord> runs;
    std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
        [&scales](const RunRecord& run) { return scales.at(run.spec.experiment) != Scales::None; });
    const ScalingStudy study = scalingStudy(runs, which);
    std::vector<Finding> findings;
    const auto add = [&findings](std::vector<Finding> more) { std::ranges::move(more, std::back_inserter(findings)); };
    for (const ScalingCurve& curve : study.curves) {
        gains(curve, findings);
        whereTimeWent(curve, runs, findings);
        for (Finding& finding : predictionFindings(curve)) { // one link fails once
            if (finding.kind != "scaling.model_fails"
                || std::ranges::find(findings, finding.kind, &Finding::kind) == findings.end()) {
                findings.push_back(std::move(finding));
            }
        }
        toTarget(curve, findings);
        largeBatches(curve, runs, findings);
    }
    add(linkFindings(study));
    return findings;
}

} // namespace lockstep::analysis
