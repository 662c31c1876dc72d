// What a rank sends in a step, by purpose.
#pragma once

#include "analysis/run_record.h"

#include <array>

namespace lockstep::analysis {

/// Bytes a step of one rank, mean, by TrafficKind. Data parallelism reports no kinds: it sends gradients, or the
/// weights that it averages. NotMeasured where nothing is known.
[[nodiscard]] std::array<double, TrafficKindCount> bytesByKind(const RunRecord& run);

/// Whether a run's bytes follow from a formula, because a backend's own collectives carry them (at least some of them):
/// what the algorithm with the fewest bytes sends, not what the backend copies. Messages that we send are counted.
[[nodiscard]] bool areBytesModelled(const RunRecord& run);

} // namespace lockstep::analysis
