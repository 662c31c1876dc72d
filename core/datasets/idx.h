// Files in MNIST's IDX format (http://yann.lecun.com/exdb/mnist, "THE IDX FILE FORMAT"), plain or gzip, and the folders
// that contain them: MNIST, Fashion-MNIST, KMNIST, EMNIST, QMNIST. No LibTorch.
#pragma once

#include "base/result.h"
#include "datasets/images.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::datasets {

enum class IdxContent { Images, Labels };

/// Images: unsigned bytes, sizes {count, rows, columns}. Labels: sizes {count}, from unsigned bytes, or from 32-bit
/// numbers of which the first of each row is the label (QMNIST has eight).
struct IdxFile {
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> bytes;
};

/// Every size is checked before memory is allocated for it. Errors name the file, what was found and what is needed.
[[nodiscard]] Result<IdxFile> readIdxFile(const std::string& path, IdxContent content);
/// The sizes of the images, from the header and the file's length: `bytes` stays empty.
[[nodiscard]] Result<IdxFile> readIdxHeader(const std::string& path);

/// The four files in the order training images, training labels, test images, test labels. `path`: their folder, or the
/// training images where a folder holds several sets (EMNIST's does). Their names are MNIST's with anything in front
/// (`emnist-letters-`), `.` or `-` before `idx`, plain or .gz, and each may be in a folder with the file's name.
[[nodiscard]] Result<std::vector<std::string>> idxFiles(const std::string& path);

[[nodiscard]] Result<std::vector<std::string>> idxFiles(const experiment::RunSpec& run);
[[nodiscard]] Result<experiment::DataFacts> idxFacts(
    const experiment::RunSpec& run, const std::vector<std::string>& files);
[[nodiscard]] Result<ImageSet> readIdx(const experiment::RunSpec& run, const std::vector<std::string>& files);

} // namespace lockstep::datasets
