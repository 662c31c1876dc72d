// The default folder of data sets on this machine.
#pragma once

#include <string>

namespace lockstep::experiment {

/// LOCKSTEP_MNIST, else $XDG_DATA_HOME/lockstep/mnist (by default ~/.local/share/lockstep/mnist), where
/// "Download MNIST" puts it. The folder need not exist.
[[nodiscard]] std::string mnistFolder();

} // namespace lockstep::experiment
