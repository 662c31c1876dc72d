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

std::vector<RunId> idsOf(const ScalingCurve& curve)
{
    std::vector<RunId> ids;
    for (const ScalingPoint& point : curve.points) {
        ids.insert(ids.end(), point.runs.begin(), point.runs.end());
    }
    return ids;
}

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

/// What data parallelism gained.
void gains(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    std::string list;
    Finding finding;
    for (const ScalingPoint& point : curve.points) {
        if (point.ranks == 1) {
            continue;
        }
        list += (list.empty() ? "" : ", ") + std::to_string(point.ranks) + " → " + withInterval(point.speedUp) + " × ("
            + percent(point.efficiency.mean) + ")";
        finding.figures.emplace_back("speed_up_" + std::to_string(point.ranks), point.speedUp.mean);
        finding.figures.emplace_back("efficiency_" + std::to_string(point.ranks), point.efficiency.mean);
    }
    finding.kind = "scaling.speed_up";
    finding.pattern = curve.kind == Scaling::Strong
        ? LS_TR("Findings",
            "Strong scaling%1, one batch of %2 shared by all ranks: throughput relative to the single process (%3 "
            "samples/s), and efficiency, by number of ranks: %4 (n = %5).")
        : LS_TR("Findings",
            "Weak scaling%1, a batch of %2 per rank: throughput relative to the single process (%3 samples/s), and "
            "efficiency, by number of ranks: %4 (n = %5).");
    finding.arguments = {apartText(curve), grouped(curve.points.front().batch),
        estimateText(figureOf(&Summary::samplesPerSecond), curve.points.front().samplesPerSecond), list,
        countsText(curve)};
    finding.runs = idsOf(curve);
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
    finding.arguments
        = {apartText(curve), std::to_string(most.ranks), estimateText(figureOf(&Summary::msPerStep), most.msPerStep),
            threeDigits(most.computeMs), threeDigits(most.communicateMs)};
    if (std::isfinite(most.waitMs)) {
        finding.arguments.push_back(threeDigits(most.waitMs));
    }
    finding.arguments.insert(
        finding.arguments.end(), {estimateText(figureOf(&Summary::msPerStep), single.msPerStep), countsText(curve)});
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

std::string linkText(const LinkCost& link)
{
    return threeDigits(link.alpha * 1e6) + " µs, "
        + (link.beta > 0.0 ? threeDigits(1e-9 / link.beta) : std::string("∞")) + " GB/s";
}

/// The point that a prediction is held against: the fastest of several ranks.
const ScalingPoint& toldPoint(const ScalingCurve& curve)
{
    const auto best = std::max_element(curve.points.begin(), curve.points.end(),
        [](const ScalingPoint& a, const ScalingPoint& b) { return a.speedUp.mean < b.speedUp.mean; });
    return best->ranks > 1 ? *best : curve.points[1];
}

/// The figures of a prediction.
std::vector<std::pair<std::string, double>> figuresOf(const ScalingCurve& curve)
{
    using Cores = ScalingModel::Cores;
    const ScalingModel& model = *curve.model;
    const ScalingPoint& told = toldPoint(curve);
    const auto where = model.ranksPerHost == 0 ? Cores::Enough : Cores::AtHand;
    const int most = model.bestRanks(where);
    std::vector<std::pair<std::string, double>> figures{{"serial_fraction", model.serialShare()}};
    if (model.ranksPerHost != 1) {
        const MeasuredLink& link = model.linkOf(model.ranksOnAHost(told.ranks), Cores::AtHand);
        figures.insert(figures.end(),
            {{"alpha_us", link.fit.link.alpha * 1e6}, {"ns_per_byte", link.fit.link.beta * 1e9},
                {"link_ranks", static_cast<double>(link.ranks)}});
    }
    if (model.ranksPerHost > 0) {
        const MeasuredLink& link = model.linkBetween(model.hostsOf(told.ranks));
        figures.insert(figures.end(),
            {{"between_hosts_alpha_us", link.fit.link.alpha * 1e6},
                {"between_hosts_ns_per_byte", link.fit.link.beta * 1e9},
                {"between_hosts_link_hosts", static_cast<double>(link.ranks)},
                {"ranks_per_host", static_cast<double>(model.ranksPerHost)}});
    }
    figures.insert(figures.end(),
        {{"link_carries_beyond_machine", carriesBeyondMachine(model.reach) ? 1.0 : 0.0},
            {"predicted_speed_up", model.speedUp(told.ranks, Cores::AtHand)}, {"measured_speed_up", told.speedUp.mean},
            {"largest_predicted_speed_up", model.speedUp(most, where)},
            {"largest_predicted_ranks", static_cast<double>(most)}});
    return figures;
}

/// One link on the machine.
void predictHere(const ScalingCurve& curve, Finding& finding)
{
    using Cores = ScalingModel::Cores;
    const ScalingModel& model = *curve.model;
    const ScalingPoint& told = toldPoint(curve);
    const int most = model.bestRanks(Cores::Enough);
    finding.pattern = most == 1 ? LS_TR("Findings",
                          "With a serial share of %1 in the single process's step and a link of %2 (measured "
                          "separately), Amdahl's law predicts %3 × for %4 ranks on this machine's cores; measured: %5 "
                          "×. Even with one core per rank, it predicts no number of ranks over this link to be faster "
                          "than one process; %8 × if communication cost nothing.")
        : model.kind == Scaling::Strong
        ? LS_TR("Findings",
            "With a serial share of %1 in the single process's step and a link of %2 (measured separately), Amdahl's "
            "law predicts %3 × for %4 ranks on this machine's cores; measured: %5 ×. With one core per rank, it "
            "predicts at most %6 ×, at %7 ranks; %8 × if communication cost nothing.")
        : LS_TR("Findings",
            "With a serial share of %1 in the single process's step and a link of %2 (measured separately), the model "
            "predicts %3 × for %4 ranks on this machine's cores; measured: %5 ×. With one core per rank, it predicts "
            "%6 × at %7 ranks.");
    finding.arguments = {percent(model.serialShare()), linkText(model.linkOf(told.ranks, Cores::AtHand).fit.link),
        threeDigits(model.speedUp(told.ranks, Cores::AtHand)), std::to_string(told.ranks), withInterval(told.speedUp),
        threeDigits(model.speedUp(most, Cores::Enough)), std::to_string(most),
        std::isfinite(model.limit()) ? threeDigits(model.limit()) : std::string("∞")};
}

/// One link on each host, one between them.
void predictOverHosts(const ScalingCurve& curve, Finding& finding)
{
    using Cores = ScalingModel::Cores;
    const ScalingModel& model = *curve.model;
    const ScalingPoint& told = toldPoint(curve);
    const int hosts = model.hostsOf(told.ranks);
    finding.pattern = model.ranksPerHost == 1
        ? LS_TR("Findings",
            "With a serial share of %1 in the single process's step and a link of %2 between hosts (measured "
            "separately), the model predicts %3 × for %4 ranks on %5 hosts; measured: %6 ×.")
        : LS_TR("Findings",
            "With a serial share of %1 in the single process's step, a link of %7 within a host and one of %2 between "
            "hosts (measured separately), the model predicts %3 × for %4 ranks on %5 hosts; measured: %6 ×.");
    finding.arguments = {percent(model.serialShare()), linkText(model.linkBetween(hosts).fit.link),
        threeDigits(model.speedUp(told.ranks, Cores::AtHand)), std::to_string(told.ranks), std::to_string(hosts),
        withInterval(told.speedUp)};
    if (model.ranksPerHost > 1) {
        finding.arguments.push_back(linkText(model.linkOf(model.ranksPerHost, Cores::AtHand).fit.link));
    }
}

/// More hosts than were measured.
void extrapolation(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    const ScalingModel& model = *curve.model;
    const int most = model.bestRanks(ScalingModel::Cores::AtHand);
    const double speedUp = model.speedUp(most, ScalingModel::Cores::AtHand);
    const int measured = curve.points.back().ranks;
    findings.push_back({.kind = "scaling.extrapolation",
        .pattern = most > 1 && most <= measured
            ? LS_TR("Findings",
                "Extrapolated to more such hosts (ranks on each: %1), the model predicts nothing faster than %3 ranks.")
            : most == 1
            ? LS_TR("Findings",
                "Extrapolated to more such hosts (ranks on each: %1), the model predicts no number of ranks to be "
                "faster than one process.")
            : LS_TR("Findings",
                "Extrapolated to more such hosts (ranks on each: %1), the model predicts at most %2 ×, at %3 ranks."),
        .arguments = {std::to_string(model.ranksPerHost), threeDigits(speedUp), std::to_string(most)},
        .figures = {{"largest_predicted_speed_up", speedUp}, {"largest_predicted_ranks", static_cast<double>(most)}},
        .runs = idsOf(curve)});
}

/// What Amdahl and the measured links predict for these ranks here, and for more.
void prediction(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    if (!curve.model) {
        return;
    }
    Finding finding;
    finding.kind = "scaling.prediction";
    if (curve.model->ranksPerHost == 0) {
        predictHere(curve, finding);
    } else {
        predictOverHosts(curve, finding);
    }
    finding.figures = figuresOf(curve);
    finding.runs = idsOf(curve);
    findings.push_back(std::move(finding));
    if (curve.model->ranksPerHost > 0) {
        extrapolation(curve, findings);
    }
}

/// Where the links behind the predictions were measured, and that they say nothing about other links.
void linkOfPredictions(const ScalingStudy& study, std::vector<Finding>& findings)
{
    const auto found = std::find_if(study.curves.begin(), study.curves.end(),
        [](const ScalingCurve& curve) { return curve.model && !carriesBeyondMachine(curve.model->reach); });
    if (found == study.curves.end()) {
        return;
    }
    const ScalingModel& model = *found->model;
    std::string list;
    Finding finding;
    for (const MeasuredLink& link : model.links) {
        list += (list.empty() ? "" : "; ") + std::to_string(link.ranks) + " → " + linkText(link.fit.link);
        finding.figures.emplace_back("alpha_us_" + std::to_string(link.ranks), link.fit.link.alpha * 1e6);
        finding.figures.emplace_back("ns_per_byte_" + std::to_string(link.ranks), link.fit.link.beta * 1e9);
    }
    finding.kind = "scaling.link";
    finding.pattern = model.reach != LinkReach::SharedMemory
        ? LS_TR("Findings",
            "The link behind the predictions was measured between processes of one machine; by number of ranks: %1. It "
            "does not carry over to ranks on several machines; links of a cluster can be emulated (link.latency_us, "
            "link.bandwidth_mbps).")
        : model.areArraysShared
        ? LS_TR("Findings",
            "The link behind the predictions was measured as training uses it, on arrays in the shared memory of one "
            "machine; by number of ranks: %1. It does not carry over to ranks on several machines; links of a cluster "
            "can be emulated (link.latency_us, link.bandwidth_mbps).")
        : LS_TR("Findings",
            "The link behind the predictions was measured on arrays that are copied through the shared memory of one "
            "machine; by number of ranks: %1. It does not carry over to ranks on several machines; links of a cluster "
            "can be emulated (link.latency_us, link.bandwidth_mbps).");
    finding.arguments = {list};
    finding.figures.emplace_back("carries_beyond_machine", 0.0);
    for (const ScalingCurve& curve : study.curves) {
        if (curve.model && !carriesBeyondMachine(curve.model->reach)) {
            finding.addRuns(idsOf(curve));
        }
    }
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
    finding.runs = idsOf(curve);
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
    for (const ScalingCurve& curve : study.curves) {
        gains(curve, findings);
        whereTimeWent(curve, findings);
        prediction(curve, findings);
        toTarget(curve, findings);
        largeBatches(curve, runs, findings);
    }
    linkOfPredictions(study, findings);
    if (!study.curves.empty()) {
        crowding(runs, findings);
    }
    return findings;
}

} // namespace lockstep::analysis
