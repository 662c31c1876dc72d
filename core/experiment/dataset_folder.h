// Where the files of data sets are on this machine.
#pragma once

#include "experiment/spec.h"

#include <string>

namespace lockstep::experiment {

/// Where the data sets are that no variable places elsewhere: $XDG_DATA_HOME/lockstep.
[[nodiscard]] std::string dataFolder();

/// Where the files of MNIST, CIFAR-10 or CIFAR-100 are: LOCKSTEP_MNIST, LOCKSTEP_CIFAR10 or LOCKSTEP_CIFAR100, else a
/// folder in dataFolder(). It need not exist. Empty for other data sets.
[[nodiscard]] std::string standardFolder(DataSet set);

/// The folder of the run's images: `dataset.path`, or where its data set is kept on this machine.
[[nodiscard]] std::string imageFolder(const RunSpec& run);

} // namespace lockstep::experiment
