// This rank's machine, as LibTorch, CUDA and NCCL report it.
#pragma once

#include "plan/machine.h"

namespace lockstep::engine {

/// The first call makes CUDA look for GPUs, but initialises none of them; where they are cut into slices (MIG), CUDA is
/// left alone. Later calls give the same, whatever CUDA_VISIBLE_DEVICES is then. If CUDA does not work, or this program
/// was built without it, there are no GPUs.
[[nodiscard]] const plan::Machine& thisMachine();

} // namespace lockstep::engine
