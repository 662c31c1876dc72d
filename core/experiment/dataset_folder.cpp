#include "experiment/dataset_folder.h"

#include "experiment/choices.h"

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
    if (is(run, DataSet::Digits) || is(run, Strategy::Collectives)) {
        return {};
    }
    const std::string folder = is(run, DataSet::Mnist) && path.empty() ? mnistFolder() : path;
    for (const char* stem :
        {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) {
        LOCKSTEP_TRY(idxFilePath(folder, stem));
    }
    return {};
}

} // namespace

std::string mnistFolder()
{
    if (const std::string folder = environment("LOCKSTEP_MNIST"); !folder.empty()) {
        return folder;
    }
    std::string data = environment("XDG_DATA_HOME");
    if (data.empty()) {
        data = environment("HOME") + "/.local/share";
    }
    return data + "/lockstep/mnist";
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
