// Shows a run in the terminal when no workbench shows it: log lines on stderr; on stdout what rank 0 has measured of
// collectives, a line a size, as nccl-tests does.
#pragma once

#include "engine/telemetry/recorder.h"

#include <cstdint>
#include <memory>

namespace lockstep::engine {

/// Everything also goes to `inner`. Used on the recorder's sending thread.
[[nodiscard]] std::unique_ptr<Sink> showInTerminal(std::unique_ptr<Sink> inner, std::int32_t rank);

} // namespace lockstep::engine
