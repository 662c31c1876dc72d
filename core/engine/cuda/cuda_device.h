// An NVIDIA GPU as the device of collectives. Uses the CUDA runtime alone: the program also starts without a driver,
// and opening a GPU says what is missing.
//
// A process must not fork once it has opened one.
#pragma once

#include "engine/comm/device/device.h"

#include <memory>

namespace lockstep::cuda {

/// GPU number `index` of those that this process sees. Where there is none: one line that says what is missing.
[[nodiscard]] Result<std::shared_ptr<comm::Device>> openGpu(int index);

/// Whether kernels of several processes run at once on that GPU, because this process is a client of MPS.
[[nodiscard]] bool runsUnderMps(int index);

} // namespace lockstep::cuda
