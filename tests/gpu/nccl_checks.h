// Ranks that have a GPU each, over NCCL.
#pragma once

#include "gpu/gpu_checks.h"

#include <cstdint>

namespace lockstep::tests {

/// Uses at most four of `gpus` GPUs.
void checkNccl(Report& report, int gpus, std::int64_t largestMegabytes);

} // namespace lockstep::tests
