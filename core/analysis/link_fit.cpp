#include "analysis/link_fit.h"

#include "experiment/choices.h"

#include <algorithm>

namespace lockstep::analysis {

std::vector<Measurement> measurementsOf(const RunRecord& run)
{
    const bool hasInPlace = std::any_of(run.measurements.begin(), run.measurements.end(),
        [](const CollectiveMeasurement& each) { return each.inPlace; });
    std::vector<Measurement> times;
    for (const CollectiveMeasurement& each : run.measurements) {
        if (each.inPlace == hasInPlace && each.bytes > 0 && each.p50Us > 0.0) {
            times.push_back({static_cast<double>(each.bytes), each.p50Us * 1e-6});
        }
    }
    return times;
}

std::optional<LinkFit> linkOf(const RunRecord& run)
{
    if (!is(run.spec, experiment::Strategy::Collectives) || !is(run.spec, experiment::CollectiveName::AllReduce)) {
        return std::nullopt;
    }
    const auto fit = fitLink(measurementsOf(run), run.spec.text("aggregation.algorithm"), ranksOf(run));
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

} // namespace lockstep::analysis
