#include "experiment/dataset_folder.h"

#include "experiment/choices.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sys/stat.h>

namespace lockstep::experiment {

namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool isFile(const std::string& path)
{
    struct stat facts { };
    return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

Result<void> checkDataFiles(const RunSpec& run)
{
    const std::string& path = run.text("dataset.path");
    if (is(run, DataSet::Text)) {
        return path.empty() || isFile(path)
            ? Result<void>()
            : Error{"dataset.path: the file \"" + path + "\" does not exist; choose a text file, or leave it empty"};
    }
    if (is(run, DataSet::Digits) || isSweep(run)) {
        return {};
    }
    const std::string folder = imageFolder(run);
    if (is(run, DataSet::Cifar10)) {
        return checkCifar10(folder);
    }
    for (const char* stem : IdxStems) {
        LOCKSTEP_TRY(idxFilePath(folder, stem));
    }
    return {};
}

/// Where the data sets are that no variable places elsewhere.
std::string dataFolder()
{
    std::string data = environment("XDG_DATA_HOME");
    if (data.empty()) {
        data = environment("HOME") + "/.local/share";
    }
    return data + "/lockstep";
}

constexpr std::int64_t MaxBytes = std::int64_t{16} << 30;

Error notCifar10(const std::string& what)
{
    return Error{
        fmt::format("dataset.path: {}; choose the folder with the six .bin files of {}, or unpack that into {}", what,
            Cifar10Archive, dataFolder())};
}

} // namespace

std::string mnistFolder()
{
    const std::string folder = environment("LOCKSTEP_MNIST");
    return folder.empty() ? dataFolder() + "/mnist" : folder;
}

std::string cifar10Folder()
{
    const std::string folder = environment("LOCKSTEP_CIFAR10");
    return folder.empty() ? dataFolder() + "/cifar-10-batches-bin" : folder;
}

std::string imageFolder(const RunSpec& run)
{
    const std::string& path = run.text("dataset.path");
    if (!path.empty()) {
        return path;
    }
    return is(run, DataSet::Mnist) ? mnistFolder() : is(run, DataSet::Cifar10) ? cifar10Folder() : path;
}

Result<Cifar10File> cifar10File(const std::string& folder, std::string_view name)
{
    const std::string path = fmt::format("{}/{}", folder, name);
    struct stat facts { };
    if (stat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return notCifar10("the folder \"" + folder + "\" does not exist");
    }
    if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return notCifar10(fmt::format("{} has no {}", folder, name));
    }
    const std::int64_t bytes = facts.st_size;
    if (bytes == 0 || bytes % Cifar10RecordBytes != 0) {
        return notCifar10(fmt::format("{} has {} bytes, not a multiple of {} (a label and an image of 3 x 32 x 32)",
            path, bytes, Cifar10RecordBytes));
    }
    if (bytes > MaxBytes) {
        return notCifar10(fmt::format("{} has {} bytes, more than 16 GiB", path, bytes));
    }
    return Cifar10File{path, bytes / Cifar10RecordBytes};
}

Result<void> checkCifar10(const std::string& folder)
{
    for (const std::string_view name : Cifar10TrainFiles) {
        LOCKSTEP_TRY(cifar10File(folder, name));
    }
    for (const std::string_view name : Cifar10TestFiles) {
        LOCKSTEP_TRY(cifar10File(folder, name));
    }
    return {};
}

Result<std::string> idxFilePath(const std::string& folder, const std::string& stem)
{
    for (const std::string& path : {folder + "/" + stem, folder + "/" + stem + ".gz"}) {
        if (isFile(path)) {
            return path;
        }
    }
    struct stat facts { };
    if (stat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return Error{
            "dataset.path: the folder \"" + folder + "\" does not exist; choose the folder with the four IDX files"};
    }
    return Error{"dataset.path: " + folder + " has neither " + stem + " nor " + stem + ".gz"};
}

Result<void> checkDataFiles(std::span<const RunSpec> runs)
{
    for (const RunSpec& run : runs) {
        LOCKSTEP_TRY(checkDataFiles(run));
    }
    return {};
}

} // namespace lockstep::experiment
