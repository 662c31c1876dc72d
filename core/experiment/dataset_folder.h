// Where the files of data sets are on this machine.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::experiment {

/// LOCKSTEP_MNIST, else $XDG_DATA_HOME/lockstep/mnist (by default ~/.local/share/lockstep/mnist), where
/// "Download MNIST" puts it. The folder need not exist.
[[nodiscard]] std::string mnistFolder();

/// LOCKSTEP_CIFAR10, else cifar-10-batches-bin beside mnistFolder()'s default: what the archive unpacks to. The folder
/// need not exist.
[[nodiscard]] std::string cifar10Folder();

/// The folder of the run's images: `dataset.path`, or where its data set is kept on this machine.
[[nodiscard]] std::string imageFolder(const RunSpec& run);

/// The files of an IDX folder, as MNIST names them.
inline constexpr std::array IdxStems{
    "train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
/// The file in `folder`, plain or with .gz; `stem`: one of IdxStems. Errors begin with `dataset.path`.
[[nodiscard]] Result<std::string> idxFilePath(const std::string& folder, const std::string& stem);

/// The files of CIFAR-10's binary version (https://www.cs.toronto.edu/~kriz/cifar.html).
inline constexpr std::array<std::string_view, 5> Cifar10TrainFiles{
    "data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"};
inline constexpr std::array<std::string_view, 1> Cifar10TestFiles{"test_batch.bin"};
/// One byte of label, then 32 x 32 bytes each of red, green and blue.
inline constexpr std::int64_t Cifar10RecordBytes = 1 + 3 * 32 * 32;
inline constexpr std::string_view Cifar10Archive = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz";

struct Cifar10File {
    std::string path;
    std::int64_t records = 0; ///< by its size
};

/// Checks that it is there and holds whole records. Errors begin with `dataset.path` and say where to get the files.
[[nodiscard]] Result<Cifar10File> cifar10File(const std::string& folder, std::string_view name);
/// The same of all six.
[[nodiscard]] Result<void> checkCifar10(const std::string& folder);

/// Whether all files that the runs read are there: one error, before any process is started, instead of one for each
/// run. Does not read them.
[[nodiscard]] Result<void> checkDataFiles(std::span<const RunSpec> runs);

} // namespace lockstep::experiment
