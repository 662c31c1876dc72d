#include "analysis/traffic.h"

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

} // namespace lockstep::analysis
