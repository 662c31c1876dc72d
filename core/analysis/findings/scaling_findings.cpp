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

std::string_view patternOfGains(Scaling kind, bool isAllExplained, bool isReached)
{
    if (isAllExplained && !isReached) { // more samples per second, and no net as good
        return kind == Scaling::Strong
            ? LS_TR("Findings",
                "Strong scaling%1, one batch of %2 shared by all ranks: times the throughput of the single process, by "
                "ranks: %3. No run on %5 ranks reached a test accuracy of %6.")
            : LS_TR("Findings",
                "Weak scaling%1, a batch of %2 per rank: times the throughput of the single process, by ranks: %3. No "
                "run on %5 ranks reached a test accuracy of %6.");
    }
    if (isAllExplained) {
        return kind == Scaling::Strong
            ? LS_TR("Findings",
                "Strong scaling%1, one batch of %2 shared by all ranks: times the throughput of the single process, by "
                "ranks: %3.")
            : LS_TR("Findings",
                "Weak scaling%1, a batch of %2 per rank: times the throughput of the single process, by ranks: %3.");
    }
    return kind == Scaling::Strong
        ? LS_TR("Findings",
            "Strong scaling%1, one batch of %2 shared by all ranks: times the throughput of the single process, by "
            "ranks: %3. On %4 ranks it came out faster than this machine's cores allow: do not trust these times.")
        : LS_TR("Findings",
            "Weak scaling%1, a batch of %2 per rank: times the throughput of the single process, by ranks: %3. On %4 "
            "ranks it came out faster than this machine's cores allow: do not trust these times.");
}

/// `2 → 1.62 [1.55, 1.69]`
std::string gainText(const ScalingPoint& point)
{
    return std::to_string(point.ranks) + " → " + withInterval(point.speedUp);
}

/// What data parallelism gained.
void gains(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    std::vector<std::string> list;
    std::vector<std::string> unexplained;
    std::vector<std::string> notReached;
    Finding finding{.kind = "scaling.speed_up",
        .table = {{LS_TR("Findings", "Ranks"), LS_TR("Findings", "Multiple of the throughput"),
                      LS_TR("Findings", "Efficiency (%)")},
            {}}};
    for (const ScalingPoint& point : curve.points) {
        if (point.ranks == 1) {
            continue;
        }
        if (!point.isUnexplained()) {
            list.push_back(gainText(point));
        }
        if (curve.points.front().secondsToTarget.n > 0 && point.secondsToTarget.n == 0) {
            notReached.push_back(std::to_string(point.ranks));
        }
        finding.table.rows.push_back({std::to_string(point.ranks),
            withInterval(point.speedUp) + (point.isUnexplained() ? std::string(DoubtMark) : std::string()),
            withInterval(
                Interval{point.efficiency.mean * 100.0, point.efficiency.halfWidth * 100.0, point.efficiency.n})});
        finding.figures.emplace_back("speed_up_" + std::to_string(point.ranks), point.speedUp.mean);
        finding.figures.emplace_back("efficiency_" + std::to_string(point.ranks), point.efficiency.mean);
        if (point.isUnexplained()) {
            unexplained.push_back(std::to_string(point.ranks));
            finding.figures.emplace_back("explained_speed_up_" + std::to_string(point.ranks), point.mostSpeedUp);
        }
    }
    finding.pattern = list.empty()
        ? (curve.kind == Scaling::Strong
                ? LS_TR("Findings",
                    "Strong scaling%1: on %4 ranks it came out faster than this machine's cores allow: do "
                    "not trust these times.")
                : LS_TR("Findings",
                    "Weak scaling%1: on %4 ranks it came out faster than this machine's cores allow: do "
                    "not trust these times."))
        : patternOfGains(curve.kind, unexplained.empty(), notReached.empty());
    finding.arguments = {apartText(curve), grouped(curve.points.front().batch), fewOf(list), fewOf(unexplained),
        fewOf(notReached), percent(curve.target)};
    finding.runs = curve.ids();
    findings.push_back(std::move(finding));
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

std::string_view patternOfTime(Scaling kind, bool isCrowded, bool hasWait)
{
    if (!hasWait) {
        return kind == Scaling::Strong
            ? LS_TR("Findings",
                "Strong scaling%1: on %2 ranks a step takes %3 ms, in the single process %4 ms. It computes for %5 ms, "
                "and communicates and waits for %6 ms.")
            : LS_TR("Findings",
                "Weak scaling%1: on %2 ranks a step takes %3 ms, in the single process %4 ms. It computes for %5 ms, "
                "and communicates and waits for %6 ms.");
    }
    if (isCrowded) {
        return kind == Scaling::Strong
            ? LS_TR("Findings",
                "Strong scaling%1: on %2 ranks a step takes %3 ms, in the single process %4 ms. It computes for %5 ms, "
                "communicates for %6 ms and waits for %7 ms: the ranks share %8 cores.")
            : LS_TR("Findings",
                "Weak scaling%1: on %2 ranks a step takes %3 ms, in the single process %4 ms. It computes for %5 ms, "
                "communicates for %6 ms and waits for %7 ms: the ranks share %8 cores.");
    }
    return kind == Scaling::Strong
        ? LS_TR("Findings",
            "Strong scaling%1: on %2 ranks a step takes %3 ms, in the single process %4 ms. It computes for %5 ms, "
            "communicates for %6 ms and waits for %7 ms.")
        : LS_TR("Findings",
            "Weak scaling%1: on %2 ranks a step takes %3 ms, in the single process %4 ms. It computes for %5 ms, "
            "communicates for %6 ms and waits for %7 ms.");
}

/// Where the time went at the largest number of ranks, against the single process.
void whereTimeWent(const ScalingCurve& curve, std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    const ScalingPoint& single = curve.points.front();
    const ScalingPoint& most = curve.points.back();
    if (!std::isfinite(most.computeMs)) {
        return;
    }
    const RunRecord& run = *groupOf(most, runs).runs.front();
    Finding finding{.kind = "scaling.time",
        .pattern = patternOfTime(curve.kind, sharesCores(run), std::isfinite(most.waitMs)),
        .arguments = {apartText(curve), std::to_string(most.ranks),
            estimateText(figureOf(&Summary::msPerStepTypical), most.msPerStep),
            estimateText(figureOf(&Summary::msPerStepTypical), single.msPerStep), threeDigits(most.computeMs),
            threeDigits(most.communicateMs), threeDigits(most.waitMs), grouped(run.summary.cores)},
        .figures
        = {{"ms_per_step", most.msPerStep.mean}, {"compute_ms", most.computeMs}, {"communicate_ms", most.communicateMs},
            {"wait_ms", most.waitMs}, {"single_ms_per_step", single.msPerStep.mean}},
        .runs = most.runs};
    finding.addRuns(single.runs);
    findings.push_back(std::move(finding));
}

/// More ranks than cores.
void crowding(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    Finding finding;
    const RunRecord* worst = nullptr;
    for (const RunRecord& run : runs) {
        if (experiment::hasReplicas(run.spec) && sharesCores(run)) {
            worst = worst == nullptr || threadsPerCore(run) > threadsPerCore(*worst) ? &run : worst;
            finding.runs.push_back(run.id);
        }
    }
    if (finding.runs.empty()) {
        return;
    }
    finding.kind = "scaling.crowded";
    const std::int64_t threads = worst->spec.settings->rank.threads;
    finding.pattern = threads == 1
        ? LS_TR("Findings",
            "All ranks, up to %1, shared %2 cores. More cannot compute at once, so computation takes longer and ranks "
            "wait for a core.")
        : LS_TR("Findings",
            "All ranks, up to %1 with %3 threads each, shared %2 cores. More cannot compute at once, so computation "
            "takes longer and ranks wait for a core.");
    finding.arguments = {std::to_string(ranksOf(*worst)), grouped(worst->summary.cores), std::to_string(threads)};
    finding.figures
        = {{"ranks", static_cast<double>(ranksOf(*worst))}, {"cores", static_cast<double>(worst->summary.cores)}};
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
    Finding finding{
        .kind = "scaling.time_to_accuracy", .table = {{LS_TR("Findings", "Ranks"), LS_TR("Findings", "Seconds")}, {}}};
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
    const bool isStrong = curve.kind == Scaling::Strong;
    finding.pattern = isReachedByAll
        ? (isStrong ? LS_TR("Findings",
               "Strong scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of ranks.")
                    : LS_TR("Findings",
                        "Weak scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of "
                        "ranks."))
        : (isStrong ? LS_TR("Findings",
               "Strong scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of ranks; – "
               "where no run reaches it.")
                    : LS_TR("Findings",
                        "Weak scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of "
                        "ranks; – where no run reaches it."));
    finding.arguments = {apartText(curve), percent(target)};
    finding.figures.emplace_back("target_accuracy", target);
    finding.runs = curve.ids();
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
        "%1 ranks with a batch each reach a test accuracy of %2, %3 points below the single process. They take %4 "
        "steps of %5 samples instead of %6 of %7.");
    finding.arguments = {std::to_string(most.ranks), estimateText(figureOf(&Summary::testAccuracy), most.accuracy),
        onePlace(lost), grouped(most.steps), grouped(most.batch), grouped(single.steps), grouped(single.batch)};
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
        add(predictionFindings(curve));
        toTarget(curve, findings);
        largeBatches(curve, runs, findings);
    }
    add(linkFindings(study));
    if (!study.curves.empty()) {
        crowding(runs, findings);
    }
    return findings;
}

} // namespace lockstep::analysis
