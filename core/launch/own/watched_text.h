// What the watcher of a script has found (resources/python/watch), as a sentence for the run's log.
#pragma once

#include "base/text.h"

#include <optional>
#include <string>

namespace lockstep::launch {

/// Of a log line `watch: {"file": "train.py", "loss": {"what": "loss.backward()", "line": 41}, "step": {"what":
/// "Adam.step", "line": 42}, "missing": ["evaluation"]}`; nothing of any other line. What the script's text says stays
/// as it is; keys that are not known are ignored.
[[nodiscard]] std::optional<Text> watchedText(const std::string& line);

} // namespace lockstep::launch
