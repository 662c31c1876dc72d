// Where the files of data sets are on this machine.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <span>
#include <string>

namespace lockstep::experiment {

/// LOCKSTEP_MNIST, else $XDG_DATA_HOME/lockstep/mnist (by default ~/.local/share/lockstep/mnist), where
/// "Download MNIST" puts it. The folder need not exist.
[[nodiscard]] std::string mnistFolder();

/// The file in `folder`, plain or with .gz; `stem` such as train-images-idx3-ubyte. Errors begin with `dataset.path`.
[[nodiscard]] Result<std::string> idxFilePath(const std::string& folder, const std::string& stem);

/// Whether all files that the runs read are there: one error, before any process is started, instead of one for each
/// run. Does not read them.
[[nodiscard]] Result<void> checkDataFiles(std::span<const RunSpec> runs);

} // namespace lockstep::experiment
