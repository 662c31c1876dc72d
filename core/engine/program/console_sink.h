// Shows a run's log lines on stderr when no workbench shows them.
#pragma once

#include "engine/telemetry/recorder.h"

#include <memory>

namespace lockstep::engine {

/// Everything also goes to `inner`. Sending thread of the recorder.
[[nodiscard]] std::unique_ptr<Sink> showLogLines(std::unique_ptr<Sink> inner);

} // namespace lockstep::engine
