// How many samples are evaluated at once.
#pragma once

#include "experiment/spec.h"

#include <cstdint>

namespace lockstep::plan {

/// Pieces of mostEvaluatedAtOnce() samples that use a unit's weights each time ZeRO-3 gathers them.
inline constexpr std::int64_t PiecesPerGather = 4;

/// Samples that pass through the net at once while it is evaluated on the CPU: as many as stay within a bound in bytes,
/// and few enough that small nets stay near the cache. Depends on the spec alone, through the whole net, so that all
/// ranks agree and every strategy adds up the same parts.
[[nodiscard]] std::int64_t mostEvaluatedAtOnce(const experiment::RunSpec& run);

} // namespace lockstep::plan
