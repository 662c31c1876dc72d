#include "analysis/timing/traffic_by_kind.h"

#include "experiment/choices.h"

#include <cmath>

namespace lockstep::analysis {

std::array<double, TrafficKindCount> bytesByKind(const RunRecord& run)
{
    std::array<double, TrafficKindCount> bytes = run.summary.bytesByKind;
    if (experiment::hasReplicas(run.spec) && std::isfinite(run.summary.bytesPerStep)) {
        const bool sendsWeights = experiment::trainsLocally(run.spec);
        bytes.fill(0.0);
        bytes[static_cast<std::size_t>(sendsWeights ? TrafficKind::Weights : TrafficKind::Gradients)]
            = run.summary.bytesPerStep;
    }
    return bytes;
}

bool areBytesModelled(const RunRecord& run)
{
    using experiment::Algorithm;
    // Over an emulated link everything is sent by messages.
    if (ranksOf(run) < 2 || run.spec.settings->link.isEmulated()) {
        return false;
    }
    if (experiment::hasReplicas(run.spec)) {
        return !is(run.spec, Algorithm::Ring, Algorithm::Tree, Algorithm::HalvingDoubling, Algorithm::ParameterServer,
            Algorithm::ParameterServerAsync);
    }
    // The two ends of a pipeline that share a weight sum its gradients.
    const bool isTied = is(run.spec, experiment::NetName::Gpt) && run.spec.settings->net.isTied;
    return !is(run.spec, experiment::Strategy::Pipeline) || isTied;
}

} // namespace lockstep::analysis
