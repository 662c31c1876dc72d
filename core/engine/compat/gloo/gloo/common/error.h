// See context.h.
#pragma once

#include <chrono>

namespace gloo {

const std::chrono::milliseconds kNoTimeout = std::chrono::milliseconds::zero();

} // namespace gloo
