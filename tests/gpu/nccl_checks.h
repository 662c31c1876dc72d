// Ranks that have a GPU each, over NCCL.
#pragma once

#include "gpu/gpu_checks.h"

#include <cstdint>

namespace lockstep::tests {

/// With so many GPUs, at most four of which it takes.
void checkNccl(Report& report, int gpus, std::int64_t largestMegabytes);

} // namespace lockstep::tests
