// Processor time: how long a core has worked, whatever the clock says.
#pragma once

#include <cstdint>

namespace lockstep {

/// Nanoseconds that the calling thread has used.
[[nodiscard]] std::int64_t threadProcessorNs();

/// Nanoseconds that all threads of this process have used.
[[nodiscard]] std::int64_t processProcessorNs();

} // namespace lockstep
