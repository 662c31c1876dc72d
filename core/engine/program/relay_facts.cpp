#include "engine/program/relay_facts.h"

#include "engine/program/process.h"
#include "engine/ranks/devices/cores.h"
#include "wire/messages.h"

#include <torch/version.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace lockstep::engine {

namespace {

/// Of /proc/meminfo; 0 if it is not there.
std::int64_t memoryBytes(const std::string& name)
{
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string key;
        std::int64_t kibibytes = 0;
        if (words >> key >> kibibytes && key == name + ":") {
            return kibibytes * 1024;
        }
    }
    return 0;
}

/// As the driver names them.
std::vector<std::string> gpuNames()
{
    std::vector<std::string> names;
    std::error_code failed;
    for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", failed)) {
        std::ifstream file(gpu.path() / "information");
        std::string name = "NVIDIA GPU";
        for (std::string line; std::getline(file, line);) {
            constexpr std::string_view Model = "Model:";
            if (line.starts_with(Model)) {
                const auto begin = line.find_first_not_of(" \t", Model.size());
                name = begin == std::string::npos ? name : line.substr(begin);
            }
        }
        names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
}

/// sshd gives both ends of its connection: `10.0.0.9 50000 10.0.0.1 22`.
std::string addressOfSsh()
{
    std::istringstream words(environment("SSH_CONNECTION"));
    std::string client;
    std::string clientPort;
    std::string server;
    return words >> client >> clientPort >> server ? server : std::string();
}

} // namespace

std::string hostFactsJson()
{
    const nlohmann::json facts{{"version", LOCKSTEP_VERSION}, {"protocol", wire::ProtocolVersion},
        {"libtorch", TORCH_VERSION}, {"host", hostName()}, {"cores", std::max(1, coresAtStart())},
        {"memory_bytes", memoryBytes("MemTotal")}, {"free_bytes", memoryBytes("MemAvailable")}, {"gpus", gpuNames()},
        {"address", addressOfSsh()}, {"port", freePortOfHost()}};
    return facts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace lockstep::engine
