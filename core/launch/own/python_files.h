// The Python files that the workbench brings along (resources/python), compiled in so that they always fit its
// protocol.
#pragma once

#include <string_view>

namespace lockstep::launch {

/// lockstep.py, which scripts import.
[[nodiscard]] std::string_view lockstepModule();
/// watch/sitecustomize.py, which Python imports before any script: it watches what the script does with PyTorch.
[[nodiscard]] std::string_view watcherModule();
/// Prints the parameters that a script declares.
[[nodiscard]] std::string_view parameterFinder();

} // namespace lockstep::launch
