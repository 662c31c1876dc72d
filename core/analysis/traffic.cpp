#include "analysis/traffic.h"

#include <cmath>

namespace lockstep::analysis {

std::array<double, TrafficKindCount> bytesByKind(const RunRecord& run)
{
    std::array<double, TrafficKindCount> bytes = run.summary.bytesByKind;
    if (run.spec.text("strategy.name") == "data" && std::isfinite(run.summary.bytesPerStep)) {
        const bool sendsWeights = run.spec.text("aggregation.what") == "weights";
        bytes.fill(0.0);
        bytes[static_cast<std::size_t>(sendsWeights ? TrafficKind::Weights : TrafficKind::Gradients)]
            = run.summary.bytesPerStep;
    }
    return bytes;
}

} // namespace lockstep::analysis
