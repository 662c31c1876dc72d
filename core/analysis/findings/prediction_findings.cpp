#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

std::string linkText(const LinkCost& link)
{
    return threeDigits(link.alpha * 1e6) + " µs, "
        + (link.beta > 0.0 ? threeDigits(1e-9 / link.beta) : std::string("∞")) + " GB/s";
}

/// The point that a prediction is held against: the fastest of several ranks that its cores can explain.
const ScalingPoint& toldPoint(const ScalingCurve& curve)
{
    const auto worth = [](const ScalingPoint& point) { return point.isUnexplained() ? 0.0 : point.speedUp.mean; };
    const auto best = std::ranges::max_element(curve.points, {}, worth);
    return best->ranks > 1 ? *best : curve.points[1];
}

/// The last words of a prediction's sentence about what was measured: a label.
std::string_view wordsOf(Agreement agreement)
{
    switch (agreement) {
    case Agreement::Agrees:
        return LS_TR("Findings", "both agree to within 10 %");
    case Agreement::TooOptimistic:
        return LS_TR("Findings", "the prediction is too optimistic");
    case Agreement::TooPessimistic:
        return LS_TR("Findings", "the prediction is too pessimistic");
    case Agreement::Unknown:
        break;
    }
    return LS_TR("Findings", "whether both agree cannot be told");
}

std::string verdictOn(const ScalingCurve& curve)
{
    const ScalingPoint& told = toldPoint(curve);
    const double predicted = curve.model->speedUp(told.ranks, ScalingModel::Cores::AtHand);
    return std::string(wordsOf(agreementOf(predicted, told.speedUp)));
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
    finding.pattern = most == 1
        ? LS_TR("Findings",
            "Amdahl's law predicts %3 × for %4 ranks on this machine's cores; %5 × was measured: %9. It assumes a "
            "serial share of %1 in the single process's step and a link of %2. With one core per rank it predicts no "
            "gain over this link, and %8 × if communication cost nothing.")
        : model.kind == Scaling::Strong
        ? LS_TR("Findings",
            "Amdahl's law predicts %3 × for %4 ranks on this machine's cores; %5 × was measured: %9. It assumes a "
            "serial share of %1 in the single process's step and a link of %2. With one core per rank it predicts at "
            "most %6 ×, at %7 ranks, and %8 × if communication cost nothing.")
        : LS_TR("Findings",
            "The model predicts %3 × for %4 ranks on this machine's cores; %5 × was measured: %9. It assumes a serial "
            "share of %1 in the single process's step and a link of %2. With one core per rank it predicts %6 × at %7 "
            "ranks.");
    finding.arguments = {percent(model.serialShare()), linkText(model.linkOf(told.ranks, Cores::AtHand).fit.link),
        threeDigits(model.speedUp(told.ranks, Cores::AtHand)), std::to_string(told.ranks), withInterval(told.speedUp),
        threeDigits(model.speedUp(most, Cores::Enough)), std::to_string(most),
        std::isfinite(model.limit()) ? threeDigits(model.limit()) : std::string("∞"), verdictOn(curve)};
    finding.labels = {finding.arguments.size() - 1};
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
            "The model predicts %3 × for %4 ranks on %5 hosts; %6 × was measured: %7. It assumes a serial share of %1 "
            "in the single process's step and a link of %2 between hosts.")
        : LS_TR("Findings",
            "The model predicts %3 × for %4 ranks on %5 hosts; %6 × was measured: %7. It assumes a serial share of %1 "
            "in the single process's step. It assumes a link of %8 within a host and one of %2 between hosts.");
    finding.arguments = {percent(model.serialShare()), linkText(model.linkBetween(hosts).fit.link),
        threeDigits(model.speedUp(told.ranks, Cores::AtHand)), std::to_string(told.ranks), std::to_string(hosts),
        withInterval(told.speedUp), verdictOn(curve)};
    finding.labels = {finding.arguments.size() - 1};
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
    const int measured = curve.mostSupported(ScalingModel::Cores::AtHand);
    findings.push_back({.kind = "scaling.extrapolation",
        .pattern = most > 1 && most <= measured
            ? LS_TR("Findings",
                "Extrapolated to more such hosts (ranks on each: %1), the model predicts nothing faster than %3 ranks.")
            : most == 1
            ? LS_TR("Findings",
                "Extrapolated to more such hosts (ranks on each: %1), the model predicts no number of ranks to be "
                "faster than one process.")
            : LS_TR("Findings",
                "Extrapolated to more such hosts (ranks on each: %1), the model predicts at most %2 ×, at %3 ranks. "
                "Nothing was measured beyond %4 ranks."),
        .arguments
        = {std::to_string(model.ranksPerHost), threeDigits(speedUp), std::to_string(most), std::to_string(measured)},
        .figures = {{"largest_predicted_speed_up", speedUp}, {"largest_predicted_ranks", static_cast<double>(most)}},
        .runs = curve.ids()});
}

/// A prediction of more ranks with a core each than were measured so.
void unsupported(const ScalingCurve& curve, std::vector<Finding>& findings)
{
    using Cores = ScalingModel::Cores;
    const ScalingModel& model = *curve.model;
    const int most = model.bestRanks(Cores::Enough);
    const int measured = curve.mostSupported(Cores::Enough);
    if (most <= measured) {
        return;
    }
    const double speedUp = model.speedUp(most, Cores::Enough);
    findings.push_back({.kind = "scaling.unsupported",
        .pattern = carriesBeyondMachine(model.reach)
            ? LS_TR("Findings",
                "The prediction of %1 × at %2 ranks is an extrapolation: at most %3 ranks were measured with a core "
                "each.")
            : LS_TR("Findings",
                "The prediction of %1 × at %2 ranks is an extrapolation: at most %3 ranks were measured with a core "
                "each. Its link was measured inside one machine."),
        .arguments = {threeDigits(speedUp), std::to_string(most), std::to_string(measured)},
        .figures = {{"largest_predicted_speed_up", speedUp}, {"largest_predicted_ranks", static_cast<double>(most)},
            {"supported_ranks", static_cast<double>(measured)}},
        .runs = curve.ids()});
}

} // namespace

std::vector<Finding> predictionFindings(const ScalingCurve& curve)
{
    std::vector<Finding> findings;
    if (curve.refuted) {
        const Refutation& of = *curve.refuted;
        findings.push_back({.kind = "scaling.model_fails",
            .pattern = LS_TR("Findings",
                "On %1 ranks%4 communication takes %3 ms of a step. By the latency and bandwidth measured before, it "
                "should take %2 ms. So the model does not hold, and predicts nothing."),
            .arguments = {std::to_string(of.ranks), threeDigits(of.predictedMs), threeDigits(of.measuredMs),
                curve.apart.empty() ? std::string() : " (" + curve.apart + ")"},
            .figures = {{"predicted_communicate_ms", of.predictedMs}, {"measured_communicate_ms", of.measuredMs}},
            .runs = curve.ids()});
    }
    const auto isDoubtful = [](const ScalingPoint& point) { return point.ranks > 1 && point.isUnexplained(); };
    if (!curve.model || std::ranges::count_if(curve.points, isDoubtful) + 1 == std::ssize(curve.points)) {
        return findings;
    }
    Finding finding;
    finding.kind = "scaling.prediction";
    if (curve.model->ranksPerHost == 0) {
        predictHere(curve, finding);
    } else {
        predictOverHosts(curve, finding);
    }
    finding.figures = figuresOf(curve);
    finding.runs = curve.ids();
    findings.push_back(std::move(finding));
    if (curve.model->ranksPerHost > 0) {
        extrapolation(curve, findings);
    } else {
        unsupported(curve, findings);
    }
    return findings;
}

std::vector<Finding> linkFindings(const ScalingStudy& study)
{
    const auto found = std::find_if(study.curves.begin(), study.curves.end(),
        [](const ScalingCurve& curve) { return curve.model && !carriesBeyondMachine(curve.model->reach); });
    if (found == study.curves.end()) {
        return {};
    }
    const ScalingModel& model = *found->model;
    Finding finding{.kind = "scaling.link",
        .pattern = model.reach != LinkReach::SharedMemory
            ? LS_TR("Findings",
                "The link behind the predictions was measured between processes of one machine. It does not carry over "
                "to ranks on several machines; links of a cluster can be emulated.")
            : model.areArraysShared
            ? LS_TR("Findings",
                "The link behind the predictions was measured as training uses it, in one machine's shared memory. It "
                "does not carry over to ranks on several machines; links of a cluster can be emulated.")
            : LS_TR("Findings",
                "The link behind the predictions was measured on copies through one machine's shared memory. It does "
                "not carry over to ranks on several machines; links of a cluster can be emulated."),
        .table = {{LS_TR("Findings", "Ranks"), LS_TR("Findings", "Measured link")}, {}}};
    for (const MeasuredLink& link : model.links) {
        finding.table.rows.push_back({std::to_string(link.ranks), linkText(link.fit.link)});
        finding.figures.emplace_back("alpha_us_" + std::to_string(link.ranks), link.fit.link.alpha * 1e6);
        finding.figures.emplace_back("ns_per_byte_" + std::to_string(link.ranks), link.fit.link.beta * 1e9);
    }
    finding.figures.emplace_back("carries_beyond_machine", 0.0);
    for (const ScalingCurve& curve : study.curves) {
        if (curve.model && !carriesBeyondMachine(curve.model->reach)) {
            finding.addRuns(curve.ids());
        }
    }
    return {finding};
}

} // namespace lockstep::analysis
