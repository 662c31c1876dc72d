#include "analysis/scaling/link_fit.h"

#include "experiment/choices.h"

#include <algorithm>

namespace lockstep::analysis {

bool measuresSharedArrays(const RunRecord& run)
{
    return std::any_of(run.measurements.begin(), run.measurements.end(),
        [](const CollectiveMeasurement& each) { return each.shared; });
}

std::vector<Measurement> measurementsOf(const RunRecord& run)
{
    const bool hasShared = measuresSharedArrays(run);
    const bool hasInPlace = std::any_of(run.measurements.begin(), run.measurements.end(),
        [](const CollectiveMeasurement& each) { return each.inPlace; });
    std::vector<Measurement> times;
    for (const CollectiveMeasurement& each : run.measurements) {
        const bool isOfKind = each.shared == hasShared && each.inPlace == hasInPlace;
        if (isOfKind && each.bytes > 0 && each.p50Us > 0.0) {
            times.push_back({static_cast<double>(each.bytes), each.p50Us * 1e-6});
        }
    }
    return times;
}

std::map<double, double> secondsBySize(std::span<const RunRecord* const> repeats)
{
    std::map<double, std::vector<double>> all;
    for (const RunRecord* run : repeats) {
        for (const Measurement& time : measurementsOf(*run)) {
            all[time.bytes].push_back(time.seconds);
        }
    }
    std::map<double, double> medians;
    for (auto& [bytes, seconds] : all) {
        const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
        std::nth_element(seconds.begin(), middle, seconds.end());
        medians[bytes] = *middle;
    }
    return medians;
}

int ranksOfMessages(const RunRecord& run)
{
    const bool isHierarchical = run.summary.hosts > 1
        && is(run.spec, experiment::Backend::Auto, experiment::Backend::Hierarchical)
        && is(run.spec, experiment::Algorithm::AllReduce) && run.spec.settings->sweep.groups == 1;
    return isHierarchical ? static_cast<int>(run.summary.hosts) : ranksOfCall(run);
}

std::optional<LinkFit> linkOf(const RunRecord& run)
{
    if (!experiment::isSweep(run.spec) || !is(run.spec, experiment::CollectiveName::AllReduce)) {
        return std::nullopt;
    }
    const auto fit = fitLink(
        measurementsOf(run), std::string(nameOf(run.spec.settings->aggregation.algorithm)), ranksOfMessages(run));
    return fit ? std::optional<LinkFit>(*fit) : std::nullopt;
}

std::optional<LinkFit> linkOf(std::span<const RunRecord* const> repeats)
{
    LinkFit sum;
    double count = 0.0;
    for (const RunRecord* run : repeats) {
        if (const auto fit = linkOf(*run)) {
            sum.link.alpha += fit->link.alpha;
            sum.link.beta += fit->link.beta;
            sum.residual += fit->residual;
            count += 1.0;
        }
    }
    return count > 0.0 ? std::optional<LinkFit>({{sum.link.alpha / count, sum.link.beta / count}, sum.residual / count})
                       : std::nullopt;
}

LinkReach reachOf(const RunRecord& run)
{
    if (run.spec.settings->link.isEmulated()) {
        return LinkReach::Emulated;
    }
    if (run.summary.hosts > 1) {
        return LinkReach::Hosts;
    }
    // What auto chose depends on the GPUs, except on the CPU (plan/placement.h).
    const bool isOnCpu = is(run.spec, experiment::Backend::Auto) && run.spec.settings->rank.device == "cpu";
    return isOnCpu || is(run.spec, experiment::Backend::Shm) || measuresSharedArrays(run) ? LinkReach::SharedMemory
                                                                                          : LinkReach::OneMachine;
}

std::string_view nameOf(LinkReach reach)
{
    switch (reach) {
    case LinkReach::Emulated:
        return "emulated";
    case LinkReach::SharedMemory:
        return "shared_memory";
    case LinkReach::Hosts:
        return "between_hosts";
    case LinkReach::OneMachine:
        break;
    }
    return "one_machine";
}

} // namespace lockstep::analysis
