// A driver's management library without a driver: a shared library that LOCKSTEP_NVML can name. LOCKSTEP_FAKE_NVML has
// its answers as JSON, or after an @ the path of such a file, read at every start:
//
//     {"init": 0, "driver": "580.65.06", "cuda": 13000, "gpus": [
//       {"name": "NVIDIA H200", "uuid": "GPU-0", "memory": 150e9, "capability": [9, 0], "limit": 700,
//        "mig": false, "slices": [{"name": "...", "uuid": "MIG-0", "memory": 1e10}], "persistence": true,
//        "compute_mode": 0,
//        "use": [10, 90], "memory_use": 20, "used": 2e9, "power": 310.5, "temperature": 54, "sm": 1980, "clock": 3201,
//        "reasons": 4, "processes": [{"pid": 17, "bytes": 1e9}], "bytes_per_child": 5e8}]}
//
// A value that is not given is one that the GPU does not support; a list is gone round, a place a reading. With
// `bytes_per_child` every child of this process computes on the GPU. `no_gpu` makes every handle fail.
#include "launch/monitor/nvml_api.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace nvml = lockstep::launch::nvml;
using Json = nlohmann::json;

namespace {

/// What a handle points to.
struct Gpu {
    Json facts;
    std::size_t reading = 0;
    std::vector<Gpu> slices;
};

struct Machine {
    Json facts;
    std::vector<Gpu> gpus;
};

Machine& machine()
{
    static Machine& the = *new Machine; // a thread may still read it when main() ends
    return the;
}

Gpu& gpuOf(nvml::Device device)
{
    return *reinterpret_cast<Gpu*>(device);
}

nvml::Device handleOf(Gpu& gpu)
{
    return reinterpret_cast<nvml::Device>(&gpu);
}

/// False where the GPU does not have such a value.
bool number(nvml::Device device, const char* key, double& value)
{
    const Gpu& gpu = gpuOf(device);
    if (!gpu.facts.contains(key)) {
        return false;
    }
    const Json& told = gpu.facts[key];
    value = told.is_array() ? told[gpu.reading % told.size()].get<double>() : told.get<double>();
    return true;
}

int word(nvml::Device device, const char* key, unsigned int* value, double factor = 1.0)
{
    double told = 0.0;
    if (!number(device, key, told)) {
        return nvml::NotSupported;
    }
    *value = static_cast<unsigned int>(told * factor);
    return nvml::Success;
}

int text(const Json& facts, const char* key, char* buffer, unsigned int size)
{
    const std::string value = facts.value(key, std::string());
    if (value.empty()) {
        return nvml::NotSupported;
    }
    if (value.size() >= size) {
        return nvml::InsufficientSize;
    }
    std::memcpy(buffer, value.c_str(), value.size() + 1);
    return nvml::Success;
}

std::vector<unsigned int> childrenOfThis()
{
    std::vector<unsigned int> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name[0] < '0' || name[0] > '9') {
            continue;
        }
        std::ifstream file(entry.path() / "stat");
        std::string stat;
        std::getline(file, stat);
        const auto end = stat.rfind(')');
        if (end == std::string::npos) {
            continue; // gone meanwhile
        }
        char state = 0;
        int parent = 0;
        if (std::sscanf(stat.c_str() + end + 1, " %c %d", &state, &parent) == 2 && parent == getpid() && state != 'Z') {
            children.push_back(static_cast<unsigned int>(std::stoul(name)));
        }
    }
    return children;
}

Json script()
{
    const char* given = std::getenv("LOCKSTEP_FAKE_NVML");
    if (given == nullptr) {
        return Json::object();
    }
    if (*given != '@') {
        return Json::parse(given);
    }
    std::ifstream file(given + 1);
    return Json::parse(file);
}

} // namespace

extern "C" {

int nvmlInit_v2()
{
    machine() = {};
    machine().facts = script();
    for (const Json& each : machine().facts.value("gpus", Json::array())) {
        machine().gpus.push_back({each, 0, {}});
        for (const Json& slice : each.value("slices", Json::array())) {
            machine().gpus.back().slices.push_back({slice, 0, {}});
        }
    }
    return machine().facts.value("init", 0);
}

int nvmlShutdown()
{
    return nvml::Success;
}

const char* nvmlErrorString(int)
{
    return "as the fake was told";
}

int nvmlSystemGetDriverVersion(char* buffer, unsigned int size)
{
    return text(machine().facts, "driver", buffer, size);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version)
{
    *version = machine().facts.value("cuda", 0);
    return nvml::Success;
}

int nvmlDeviceGetCount_v2(unsigned int* count)
{
    *count = static_cast<unsigned int>(machine().gpus.size());
    return nvml::Success;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvml::Device* device)
{
    if (index >= machine().gpus.size()) {
        return nvml::InvalidArgument;
    }
    if (machine().facts.value("no_gpu", false)) {
        return nvml::GpuIsLost;
    }
    *device = handleOf(machine().gpus[index]);
    return nvml::Success;
}

int nvmlDeviceGetName(nvml::Device device, char* buffer, unsigned int size)
{
    return text(gpuOf(device).facts, "name", buffer, size);
}

int nvmlDeviceGetUUID(nvml::Device device, char* buffer, unsigned int size)
{
    return text(gpuOf(device).facts, "uuid", buffer, size);
}

int nvmlDeviceGetMemoryInfo(nvml::Device device, nvml::Memory* memory)
{
    double total = 0.0;
    double used = 0.0;
    if (!number(device, "memory", total)) {
        return nvml::NotSupported;
    }
    static_cast<void>(number(device, "used", used));
    memory->total = static_cast<unsigned long long>(total);
    memory->used = static_cast<unsigned long long>(used);
    memory->free = memory->total - memory->used;
    return nvml::Success;
}

int nvmlDeviceGetCudaComputeCapability(nvml::Device device, int* major, int* minor)
{
    const Json& facts = gpuOf(device).facts;
    if (!facts.contains("capability")) {
        return nvml::NotSupported;
    }
    *major = facts["capability"][0];
    *minor = facts["capability"][1];
    return nvml::Success;
}

int nvmlDeviceGetMigMode(nvml::Device device, unsigned int* current, unsigned int* pending)
{
    const Json& facts = gpuOf(device).facts;
    if (!facts.contains("mig")) {
        return nvml::NotSupported;
    }
    *current = *pending = facts["mig"].get<bool>() ? 1 : 0;
    return nvml::Success;
}

int nvmlDeviceGetMaxMigDeviceCount(nvml::Device, unsigned int* count)
{
    *count = 7;
    return nvml::Success;
}

int nvmlDeviceGetMigDeviceHandleByIndex(nvml::Device device, unsigned int index, nvml::Device* slice)
{
    std::vector<Gpu>& slices = gpuOf(device).slices;
    if (index >= slices.size()) {
        return nvml::NotFound;
    }
    *slice = handleOf(slices[index]);
    return nvml::Success;
}

int nvmlDeviceGetComputeMode(nvml::Device device, unsigned int* mode)
{
    return word(device, "compute_mode", mode);
}

int nvmlDeviceGetPersistenceMode(nvml::Device device, unsigned int* mode)
{
    const Json& facts = gpuOf(device).facts;
    *mode = facts.value("persistence", false) ? 1 : 0;
    return facts.contains("persistence") ? nvml::Success : nvml::NotSupported;
}

/// The first thing that is asked in a reading.
int nvmlDeviceGetUtilizationRates(nvml::Device device, nvml::Utilization* rates)
{
    ++gpuOf(device).reading;
    rates->memory = 0;
    static_cast<void>(word(device, "memory_use", &rates->memory));
    return word(device, "use", &rates->gpu);
}

int nvmlDeviceGetPowerUsage(nvml::Device device, unsigned int* milliwatts)
{
    return word(device, "power", milliwatts, 1e3);
}

int nvmlDeviceGetEnforcedPowerLimit(nvml::Device device, unsigned int* milliwatts)
{
    return word(device, "limit", milliwatts, 1e3);
}

int nvmlDeviceGetTemperature(nvml::Device device, int sensor, unsigned int* degrees)
{
    return sensor == nvml::SensorOfGpu ? word(device, "temperature", degrees) : nvml::InvalidArgument;
}

int nvmlDeviceGetClockInfo(nvml::Device device, int kind, unsigned int* mhz)
{
    return word(device, kind == nvml::ClockOfSm ? "sm" : "clock", mhz);
}

int nvmlDeviceGetCurrentClocksEventReasons(nvml::Device device, unsigned long long* reasons)
{
    double bits = 0.0;
    const bool isKnown = number(device, "reasons", bits);
    *reasons = static_cast<unsigned long long>(bits);
    return isKnown ? nvml::Success : nvml::NotSupported;
}

int nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device device, unsigned int* count, nvml::Process* list)
{
    const Json& facts = gpuOf(device).facts;
    std::vector<nvml::Process> running;
    for (const Json& each : facts.value("processes", Json::array())) {
        const bool isKnown = each.contains("bytes");
        running.push_back({each["pid"],
            isKnown ? static_cast<unsigned long long>(each["bytes"].get<double>()) : nvml::NoValue, ~0U, ~0U});
    }
    if (facts.contains("bytes_per_child")) {
        for (const unsigned int child : childrenOfThis()) {
            running.push_back(
                {child, static_cast<unsigned long long>(facts["bytes_per_child"].get<double>()), ~0U, ~0U});
        }
    }
    const bool fits = running.size() <= *count;
    *count = static_cast<unsigned int>(running.size());
    if (fits) {
        std::copy(running.begin(), running.end(), list);
    }
    return fits ? nvml::Success : nvml::InsufficientSize;
}

} // extern "C"
