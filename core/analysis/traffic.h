// What a rank sends in a step, by purpose.
#pragma once

#include "analysis/run_record.h"

#include <array>

namespace lockstep::analysis {

/// Bytes a step of one rank, mean, by TrafficKind. Data parallelism reports no kinds: it sends gradients, or the
/// weights that it averages. NotMeasured where nothing is known.
[[nodiscard]] std::array<double, TrafficKindCount> bytesByKind(const RunRecord& run);

} // namespace lockstep::analysis
