// Where the files of data sets are on this machine.
#pragma once

#include "experiment/spec.h"

#include <string>

namespace lockstep::experiment {

/// Where the data sets are that no variable places elsewhere: $XDG_DATA_HOME/lockstep.
[[nodiscard]] std::string dataFolder();

/// LOCKSTEP_MNIST, else $XDG_DATA_HOME/lockstep/mnist (by default ~/.local/share/lockstep/mnist), where
/// "Download MNIST" puts it. The folder need not exist.
[[nodiscard]] std::string mnistFolder();

/// LOCKSTEP_CIFAR10, else cifar-10-batches-bin beside mnistFolder()'s default: what the archive unpacks to. The folder
/// need not exist.
[[nodiscard]] std::string cifar10Folder();

/// LOCKSTEP_CIFAR100, else cifar-100-binary beside it.
[[nodiscard]] std::string cifar100Folder();

/// The folder of the run's images: `dataset.path`, or where its data set is kept on this machine.
[[nodiscard]] std::string imageFolder(const RunSpec& run);

} // namespace lockstep::experiment
