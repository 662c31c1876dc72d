#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
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

std::string countsText(const ScalingCurve& curve)
{
    std::size_t fewest = curve.points.front().runs.size();
    for (const ScalingPoint& point : curve.points) {
        fewest = std::min(fewest, point.runs.size());
    }
    return std::to_string(fewest);
}

std::string_view patternOfGains(Scaling kind, bool isAllExplained)
{
    if (isAllExplained) {
        return kind == Scaling::Strong
            ? LS_TR("Findings",
                "Strong scaling%1, one batch of %2 shared by all ranks: throughput relative to the single process (%3 "
                "samples/s), and efficiency, by number of ranks: %4 (n = %5).")
            : LS_TR("Findings",
                "Weak scaling%1, a batch of %2 per rank: throughput relative to the single process (%3 samples/s), "
                "and efficiency, by number of ranks: %4 (n = %5).");
    }
    return kind == Scaling::Strong
        ? LS_TR("Findings",
            "Strong scaling%1, one batch of %2 shared by all ranks: throughput relative to the single process (%3 "
            "samples/s), and efficiency, by number of ranks: %4 (n = %5). On %6 ranks this is more than "
            "their cores can explain. Usual causes: the machine was busy while the single process ran, or each part "
            "fits into a cache and the whole does not.")
        : LS_TR("Findings",
            "Weak scaling%1, a batch of %2 per rank: throughput relative to the single process (%3 samples/s), and "
            "efficiency, by number of ranks: %4 (n = %5). On %6 ranks this is more than their cores can explain. "
            "Usual causes: the machine was busy while the single process ran, or each part fits into a cache and the "
            "whole does not.");
}

/// What data parallelism gained.
void gains(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    std::string list;
    std::string unexplained;
    Finding finding;
    for (const ScalingPoint& point : curve.points) {
        if (point.ranks == 1) {
            continue;
        }
        list += (list.empty() ? "" : ", ") + std::to_string(point.ranks) + " → " + withInterval(point.speedUp) + " × ("
            + percent(point.efficiency.mean) + ")";
        finding.figures.emplace_back("speed_up_" + std::to_string(point.ranks), point.speedUp.mean);
        finding.figures.emplace_back("efficiency_" + std::to_string(point.ranks), point.efficiency.mean);
        if (point.isUnexplained()) {
            unexplained += (unexplained.empty() ? "" : ", ") + std::to_string(point.ranks);
            finding.figures.emplace_back("explained_speed_up_" + std::to_string(point.ranks), point.mostSpeedUp);
        }
    }
    finding.kind = "scaling.speed_up";
    finding.pattern = patternOfGains(curve.kind, unexplained.empty());
    finding.arguments = {apartText(curve), grouped(curve.points.front().batch),
        estimateText(figureOf(&Summary::samplesPerSecondTypical), curve.points.front().samplesPerSecond), list,
        countsText(curve), unexplained};
    finding.runs = curve.ids();
    findings.push_back(std::move(finding));
}

/// Where the time went at the largest number of ranks, against the single process.
void whereTimeWent(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    const ScalingPoint& single = curve.points.front();
    const ScalingPoint& most = curve.points.back();
    if (!std::isfinite(most.computeMs)) {
        return;
    }
    Finding finding;
    finding.kind = "scaling.time";
    finding.pattern = curve.kind == Scaling::Strong
        ? LS_TR("Findings",
            "Strong scaling%1: on %2 ranks a step takes %3 ms (computing %4 ms, communicating %5 ms, waiting %6 ms); "
            "the single process takes %7 ms (n = %8).")
        : LS_TR("Findings",
            "Weak scaling%1: on %2 ranks a step takes %3 ms (computing %4 ms, communicating %5 ms, waiting %6 ms); "
            "the single process takes %7 ms (n = %8).");
    if (!std::isfinite(most.waitMs)) {
        finding.pattern = curve.kind == Scaling::Strong
            ? LS_TR("Findings",
                "Strong scaling%1: on %2 ranks a step takes %3 ms (computing %4 ms, communicating and waiting, which "
                "cannot be told apart here, %5 ms); the single process takes %6 ms (n = %7).")
            : LS_TR("Findings",
                "Weak scaling%1: on %2 ranks a step takes %3 ms (computing %4 ms, communicating and waiting, which "
                "cannot be told apart here, %5 ms); the single process takes %6 ms (n = %7).");
    }
    finding.arguments = {apartText(curve), std::to_string(most.ranks),
        estimateText(figureOf(&Summary::msPerStepTypical), most.msPerStep), threeDigits(most.computeMs),
        threeDigits(most.communicateMs)};
    if (std::isfinite(most.waitMs)) {
        finding.arguments.push_back(threeDigits(most.waitMs));
    }
    finding.arguments.insert(finding.arguments.end(),
        {estimateText(figureOf(&Summary::msPerStepTypical), single.msPerStep), countsText(curve)});
    finding.figures
        = {{"ms_per_step", most.msPerStep.mean}, {"compute_ms", most.computeMs}, {"communicate_ms", most.communicateMs},
            {"wait_ms", most.waitMs}, {"single_ms_per_step", single.msPerStep.mean}};
    finding.runs = most.runs;
    finding.addRuns(single.runs);
    findings.push_back(std::move(finding));
}

/// More ranks than cores.
void crowding(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    Finding finding;
    const RunRecord* worst = nullptr;
    const auto crowd = [](const RunRecord& run) {
        return static_cast<double>(ranksOf(run) * run.spec.settings->rank.threads)
            / static_cast<double>(run.summary.cores);
    };
    for (const RunRecord& run : runs) {
        if (experiment::hasReplicas(run.spec) && run.summary.cores > 0 && crowd(run) > 1.0) {
            worst = worst == nullptr || crowd(run) > crowd(*worst) ? &run : worst;
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
            "Up to %1 ranks shared %2 cores: with more ranks than cores, computation takes longer and ranks that "
            "finish early wait for those without a core.")
        : LS_TR("Findings",
            "Up to %1 ranks with %3 threads each shared %2 cores: with more threads than cores, computation takes "
            "longer and ranks that finish early wait for those without a core.");
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
    std::string list;
    std::string missed;
    Finding finding;
    for (const ScalingPoint& point : curve.points) {
        const std::size_t late = point.runs.size() - point.secondsToTarget.n;
        if (late > 0) {
            missed += (missed.empty() ? "" : ", ") + std::to_string(point.ranks)
                + (point.secondsToTarget.n > 0 ? fmt::format(" ({}/{})", late, point.runs.size()) : "");
        }
        if (point.secondsToTarget.n == 0) {
            continue;
        }
        list += (list.empty() ? "" : ", ") + std::to_string(point.ranks) + " → " + withInterval(point.secondsToTarget)
            + " s";
        finding.figures.emplace_back("seconds_" + std::to_string(point.ranks), point.secondsToTarget.mean);
    }
    if (list.empty()) {
        return;
    }
    const bool isStrong = curve.kind == Scaling::Strong;
    finding.kind = "scaling.time_to_accuracy";
    finding.pattern = missed.empty()
        ? (isStrong ? LS_TR("Findings",
               "Strong scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of ranks: %3 "
               "(n = %4).")
                    : LS_TR("Findings",
                        "Weak scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of "
                        "ranks: %3 (n = %4)."))
        : (isStrong ? LS_TR("Findings",
               "Strong scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of ranks: "
               "%3; not reached by %5 (n = %4).")
                    : LS_TR("Findings",
                        "Weak scaling%1: seconds to the first evaluation with a test accuracy of %2, by number of "
                        "ranks: %3; not reached by %5 (n = %4)."));
    finding.arguments = {apartText(curve), percent(target), list, countsText(curve), missed};
    finding.figures.emplace_back("target_accuracy", target);
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
        "%1 ranks with a batch each reach a test accuracy of %2, %3 points below the single process (%4): %5 steps of "
        "%6 samples instead of %7 of %8 (n = %9).");
    finding.arguments = {std::to_string(most.ranks), estimateText(figureOf(&Summary::testAccuracy), most.accuracy),
        onePlace(lost), estimateText(figureOf(&Summary::testAccuracy), single.accuracy), grouped(most.steps),
        grouped(most.batch), grouped(single.steps), grouped(single.batch), std::to_string(most.runs.size())};
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
        whereTimeWent(curve, findings);
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
