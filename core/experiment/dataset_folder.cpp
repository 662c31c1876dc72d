#include "experiment/dataset_folder.h"

#include "experiment/choices.h"

#include <cstdlib>

namespace lockstep::experiment {

namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

} // namespace

std::string dataFolder()
{
    std::string data = environment("XDG_DATA_HOME");
    if (data.empty()) {
        data = environment("HOME") + "/.local/share";
    }
    return data + "/lockstep";
}

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

std::string cifar100Folder()
{
    const std::string folder = environment("LOCKSTEP_CIFAR100");
    return folder.empty() ? dataFolder() + "/cifar-100-binary" : folder;
}

std::string imageFolder(const RunSpec& run)
{
    const std::string& path = run.settings->dataset.path;
    if (!path.empty()) {
        return path;
    }
    return is(run, DataSet::Mnist)   ? mnistFolder()
        : is(run, DataSet::Cifar10)  ? cifar10Folder()
        : is(run, DataSet::Cifar100) ? cifar100Folder()
                                     : path;
}

} // namespace lockstep::experiment
