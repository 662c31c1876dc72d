#include "experiment/dataset_folder.h"

#include <cstdlib>

namespace lockstep::experiment {

namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
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

} // namespace lockstep::experiment
