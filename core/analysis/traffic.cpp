#include "analysis/traffic.h"

#include "experiment/choices.h"

#include <cmath>

namespace lockstep::analysis {

std::array<double, TrafficKindCount> bytesByKind(const RunRecord& run)
{
    std::array<double, TrafficKindCount> bytes = run.summary.bytesByKind;
    if (is(run.spec, experiment::Strategy::Data) && std::isfinite(run.summary.bytesPerStep)) {
        const bool sendsWeights = is(run.spec, experiment::Aggregated::Weights);
        bytes.fill(0.0);
        bytes[static_cast<std::size_t>(sendsWeights ? TrafficKind::Weights : TrafficKind::Gradients)]
            = run.summary.bytesPerStep;
    }
    return bytes;
}

} // namespace lockstep::analysis
