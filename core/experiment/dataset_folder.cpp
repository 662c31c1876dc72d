#include "experiment/dataset_folder.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace lockstep::experiment {

namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

struct StandardFolder {
    DataSet set;
    const char* variable;
    std::string_view name; ///< of the folder in dataFolder(): for CIFAR what the archive unpacks to
};

constexpr std::array Folders{StandardFolder{DataSet::Mnist, "LOCKSTEP_MNIST", "mnist"},
    StandardFolder{DataSet::Cifar10, "LOCKSTEP_CIFAR10", "cifar-10-batches-bin"},
    StandardFolder{DataSet::Cifar100, "LOCKSTEP_CIFAR100", "cifar-100-binary"}};

} // namespace

std::string dataFolder()
{
    std::string data = environment("XDG_DATA_HOME");
    if (data.empty()) {
        data = environment("HOME") + "/.local/share";
    }
    return data + "/lockstep";
}

std::string standardFolder(DataSet set)
{
    const auto found = std::ranges::find(Folders, set, &StandardFolder::set);
    if (found == Folders.end()) {
        return {};
    }
    const std::string folder = environment(found->variable);
    return folder.empty() ? dataFolder() + "/" + std::string(found->name) : folder;
}

std::string imageFolder(const RunSpec& run)
{
    const std::string& path = run.settings->dataset.path;
    return path.empty() ? standardFolder(run.settings->dataset.name) : path;
}

} // namespace lockstep::experiment
