// A device's memory as algorithms use it.
#pragma once

#include "engine/comm/array_memory.h"
#include "engine/comm/device/device.h"

#include <memory>

namespace lockstep::comm {

[[nodiscard]] std::shared_ptr<Memory> deviceMemory(std::shared_ptr<Device> device);

} // namespace lockstep::comm
