// The machine that this rank is on, as LibTorch, CUDA and NCCL show it.
#pragma once

#include "plan/machine.h"

namespace lockstep::engine {

/// The first call makes CUDA look for GPUs; none of them is taken into use by it. Where CUDA does not work, or this
/// program was built without it, there are no GPUs.
[[nodiscard]] plan::Machine thisMachine();

} // namespace lockstep::engine
