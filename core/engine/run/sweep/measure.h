// A run that trains nothing: how long a collective takes, size by size, and whether its result is right. The method is
// that of nccl-tests (collective_bench.h).
#pragma once

#include "engine/ranks/rank_context.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"
#include "plan/placement.h"
#include "wire/messages.h"

namespace lockstep::engine {

/// The arrays are in host memory: ranks that `device=auto` placed on GPUs measure on the CPU, other settings with a GPU
/// fail.
[[nodiscard]] wire::Goodbye measureCollectives(
    const experiment::RunSpec& run, const RankContext& context, const plan::Placement& placement, Recorder& recorder);

} // namespace lockstep::engine
