#include "launch/monitor/nvml.h"

#include "base/translate.h"
#include "launch/monitor/nvml_api.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>

namespace lockstep::launch {

namespace {

using nvml::Device;
using Kind = NvmlFailure::Kind;

constexpr const char* LibraryName = "libnvidia-ml.so.1";
/// Where WSL keeps Windows' driver; not every distribution's loader looks there.
constexpr const char* LibraryOfWsl = "/usr/lib/wsl/lib/libnvidia-ml.so.1";
constexpr unsigned int FewProcesses = 64;
constexpr unsigned int ManyProcesses = 4096;

struct Unloader {
    void operator()(void* library) const { dlclose(library); }
};

NvmlFailure failureOf(int status, const Text& words)
{
    switch (status) {
    case nvml::DriverNotLoaded:
        return {Kind::NotLoaded, LS_TR("Messages", "the NVIDIA driver is not loaded")};
    case nvml::VersionMismatch:
        return {Kind::Mismatch, LS_TR("Messages", "NVIDIA's library and its kernel module are of different versions")};
    case nvml::NoPermission:
    case nvml::OperatingSystem:
        return {Kind::NoPermission, LS_TR("Messages", "the device nodes /dev/nvidia* may not be opened")};
    case nvml::NotFound:
        return {Kind::NoGpu, LS_TR("Messages", "the NVIDIA driver finds no GPU")};
    case nvml::LibraryNotFound:
        return {Kind::Unusable, LS_TR("Messages", "a part of the NVIDIA driver's libraries is missing")};
    default:
        return {Kind::Other,
            Text(LS_TR("Messages", "the NVIDIA driver's management library does not start: %1 (%2)"), {words, status})};
    }
}

} // namespace

/// The functions that are used. Functions that a driver lacks are null, and their figures are empty.
class Nvml::Library {
public:
    static OpenedNvml load();

    ~Library()
    {
        if (m_isStarted) {
            shutdown();
        }
    }

    template <typename Call, typename Value, typename... Rest>
    bool ask(Call call, Device device, Value* value, Rest... rest) const
    {
        return call != nullptr && call(device, rest..., value) == nvml::Success;
    }

    template <typename Call, typename... Rest>
    [[nodiscard]] std::optional<double> number(Call call, Device device, Rest... rest) const
    {
        unsigned int value = 0;
        return ask(call, device, &value, rest...) ? std::optional<double>(value) : std::nullopt;
    }

    template <typename Call>
    [[nodiscard]] std::string text(Call call, Device device) const
    {
        std::array<char, nvml::TextSize> buffer{};
        return call != nullptr && call(device, buffer.data(), nvml::TextSize - 1) == nvml::Success
            ? std::string(buffer.data())
            : std::string();
    }

    void addSlices(GpuFacts& facts, Device device) const;
    void addProcesses(std::vector<GpuProcess>& list, Device device, bool ofMps) const;

    using OfNothing = int();
    using OfWord = int(unsigned int*);
    using OfDevice = int(Device, unsigned int*);
    using OfDeviceAndKind = int(Device, int, unsigned int*);
    using TextOfDevice = int(Device, char*, unsigned int);
    using DeviceByNumber = int(unsigned int, Device*);
    using Processes = int(Device, unsigned int*, nvml::Process*);

    OfNothing* init = nullptr;
    OfNothing* shutdown = nullptr;
    const char* (*errorText)(int) = nullptr;
    int (*driverVersion)(char*, unsigned int) = nullptr;
    int (*cudaVersion)(int*) = nullptr;
    OfWord* count = nullptr;
    DeviceByNumber* byNumber = nullptr;
    TextOfDevice* name = nullptr;
    TextOfDevice* uuid = nullptr;
    int (*memory)(Device, nvml::Memory*) = nullptr;
    int (*capability)(Device, int*, int*) = nullptr;
    int (*migMode)(Device, unsigned int*, unsigned int*) = nullptr;
    OfDevice* mostSlices = nullptr;
    int (*slice)(Device, unsigned int, Device*) = nullptr;
    OfDevice* computeMode = nullptr;
    OfDevice* persistence = nullptr;
    int (*utilization)(Device, nvml::Utilization*) = nullptr;
    OfDevice* power = nullptr;
    OfDevice* powerLimit = nullptr;
    OfDeviceAndKind* temperature = nullptr;
    OfDeviceAndKind* clock = nullptr;
    int (*clockReasons)(Device, unsigned long long*) = nullptr;
    Processes* processes = nullptr;
    Processes* processesOfMps = nullptr;

private:
    /// The first of the names that the library has: newest first.
    template <typename Function>
    void find(Function*& function, std::initializer_list<const char*> names)
    {
        for (const char* each : names) {
            function = reinterpret_cast<Function*>(dlsym(m_handle.get(), each));
            if (function != nullptr) {
                return;
            }
        }
    }
    void findAll();

    std::unique_ptr<void, Unloader> m_handle;
    bool m_isStarted = false;
};

void Nvml::Library::findAll()
{
    find(init, {"nvmlInit_v2", "nvmlInit"});
    find(shutdown, {"nvmlShutdown"});
    find(errorText, {"nvmlErrorString"});
    find(driverVersion, {"nvmlSystemGetDriverVersion"});
    find(cudaVersion, {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
    find(count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
    find(byNumber, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
    find(name, {"nvmlDeviceGetName"});
    find(uuid, {"nvmlDeviceGetUUID"});
    find(memory, {"nvmlDeviceGetMemoryInfo"});
    find(capability, {"nvmlDeviceGetCudaComputeCapability"});
    find(migMode, {"nvmlDeviceGetMigMode"});
    find(mostSlices, {"nvmlDeviceGetMaxMigDeviceCount"});
    find(slice, {"nvmlDeviceGetMigDeviceHandleByIndex"});
    find(computeMode, {"nvmlDeviceGetComputeMode"});
    find(persistence, {"nvmlDeviceGetPersistenceMode"});
    find(utilization, {"nvmlDeviceGetUtilizationRates"});
    find(power, {"nvmlDeviceGetPowerUsage"});
    find(powerLimit, {"nvmlDeviceGetEnforcedPowerLimit"});
    find(temperature, {"nvmlDeviceGetTemperature"});
    find(clock, {"nvmlDeviceGetClockInfo"});
    find(clockReasons, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    find(processes, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    find(processesOfMps, {"nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2"});
}

OpenedNvml Nvml::Library::load()
{
    const char* chosen = std::getenv("LOCKSTEP_NVML");
    const bool isChosen = chosen != nullptr && *chosen != '\0';
    auto library = std::make_unique<Library>();
    library->m_handle.reset(dlopen(isChosen ? chosen : LibraryName, RTLD_NOW | RTLD_LOCAL));
    if (library->m_handle == nullptr && !isChosen) {
        library->m_handle.reset(dlopen(LibraryOfWsl, RTLD_NOW | RTLD_LOCAL));
    }
    if (library->m_handle == nullptr) {
        return {nullptr,
            {Kind::NoLibrary,
                isChosen ? Text(LS_TR("Messages", "LOCKSTEP_NVML names %1, which cannot be loaded"), {verbatim(chosen)})
                         : Text(LS_TR("Messages", "no NVIDIA driver: its library %1 is not here"),
                             {verbatim(LibraryName)})}};
    }
    library->findAll();
    if (library->init == nullptr || library->shutdown == nullptr || library->count == nullptr
        || library->byNumber == nullptr) {
        return {nullptr,
            {Kind::Unusable,
                Text(LS_TR("Messages", "%1 is not NVIDIA's management library"),
                    {verbatim(isChosen ? chosen : LibraryName)})}};
    }
    if (const int status = library->init(); status != nvml::Success) {
        const char* words = library->errorText != nullptr ? library->errorText(status) : nullptr;
        return {nullptr,
            failureOf(status, words != nullptr ? verbatim(words) : Text(LS_TR("Messages", "no reason given")))};
    }
    library->m_isStarted = true;
    return {std::unique_ptr<Nvml>(new Nvml(std::move(library))), {}};
}

void Nvml::Library::addSlices(GpuFacts& facts, Device device) const
{
    unsigned int most = 0;
    if (slice == nullptr || !ask(mostSlices, device, &most)) {
        return;
    }
    for (unsigned int i = 0; i < most; ++i) {
        Device part = nullptr;
        if (slice(device, i, &part) != nvml::Success) {
            continue; // not every slot is used
        }
        nvml::Memory size{};
        const bool isKnown = ask(memory, part, &size);
        facts.slices.push_back(
            {text(name, part), text(uuid, part), isKnown ? static_cast<std::int64_t>(size.total) : 0});
    }
}

void Nvml::Library::addProcesses(std::vector<GpuProcess>& list, Device device, bool ofMps) const
{
    Processes* const call = ofMps ? processesOfMps : processes;
    if (call == nullptr) {
        return;
    }
    unsigned int room = FewProcesses;
    std::vector<nvml::Process> found;
    int status = nvml::InsufficientSize;
    while (status == nvml::InsufficientSize && room <= ManyProcesses) {
        // Drivers 535.43 to 535.98 write longer entries under the same name: they must not run over the end.
        found.assign(std::size_t{room} * 2, {});
        unsigned int got = room;
        status = call(device, &got, found.data());
        room = status == nvml::InsufficientSize ? std::max(got + FewProcesses, room * 2) : room;
        found.resize(std::min<std::size_t>(found.size(), got));
    }
    if (status != nvml::Success) {
        return;
    }
    for (const nvml::Process& each : found) {
        const auto isSame = [&](const GpuProcess& known) { return known.pid == static_cast<std::int64_t>(each.pid); };
        if (each.pid == 0 || std::any_of(list.begin(), list.end(), isSame)) {
            continue;
        }
        const bool isKnown = each.usedMemory != nvml::NoValue;
        list.push_back({each.pid, isKnown ? std::optional(static_cast<std::int64_t>(each.usedMemory)) : std::nullopt});
    }
}

Nvml::Nvml(std::unique_ptr<Library> library)
    : m_library(std::move(library))
{ }

Nvml::~Nvml() = default;

OpenedNvml Nvml::open()
{
    return Library::load();
}

DriverFacts Nvml::driver() const
{
    DriverFacts facts;
    std::array<char, nvml::TextSize> buffer{};
    if (m_library->driverVersion != nullptr
        && m_library->driverVersion(buffer.data(), nvml::TextSize - 1) == nvml::Success) {
        facts.version = buffer.data();
    }
    int cuda = 0;
    if (m_library->cudaVersion != nullptr && m_library->cudaVersion(&cuda) == nvml::Success) {
        facts.cuda = cuda;
    }
    return facts;
}

std::vector<GpuFacts> Nvml::gpus() const
{
    const Library& library = *m_library;
    unsigned int count = 0;
    if (library.count(&count) != nvml::Success) {
        return {};
    }
    std::vector<GpuFacts> list;
    for (unsigned int i = 0; i < count; ++i) {
        Device device = nullptr;
        if (library.byNumber(i, &device) != nvml::Success) {
            continue;
        }
        GpuFacts facts;
        facts.number = static_cast<int>(i);
        facts.name = library.text(library.name, device);
        facts.uuid = library.text(library.uuid, device);
        if (nvml::Memory size{}; library.ask(library.memory, device, &size)) {
            facts.memoryBytes = static_cast<std::int64_t>(size.total);
        }
        ComputeCapability version;
        if (library.capability != nullptr
            && library.capability(device, &version.major, &version.minor) == nvml::Success) {
            facts.capability = version;
        }
        unsigned int isMig = 0;
        unsigned int willBeMig = 0;
        if (library.migMode != nullptr && library.migMode(device, &isMig, &willBeMig) == nvml::Success) {
            facts.isMig = isMig != 0;
        }
        if (facts.isMig.value_or(false)) {
            library.addSlices(facts, device);
        }
        if (unsigned int mode = 0; library.ask(library.computeMode, device, &mode)) {
            facts.computeMode = static_cast<int>(mode);
        }
        if (unsigned int mode = 0; library.ask(library.persistence, device, &mode)) {
            facts.isPersistent = mode != 0;
        }
        if (const auto milliwatts = library.number(library.powerLimit, device)) {
            facts.powerLimitW = *milliwatts / 1e3;
        }
        list.push_back(std::move(facts));
    }
    return list;
}

GpuReading Nvml::read(int number) const
{
    const Library& library = *m_library;
    GpuReading reading;
    Device device = nullptr;
    if (number < 0 || library.byNumber(static_cast<unsigned int>(number), &device) != nvml::Success) {
        return reading;
    }
    if (nvml::Utilization use{}; library.ask(library.utilization, device, &use)) {
        reading.usePercent = use.gpu;
        reading.memoryUsePercent = use.memory;
    }
    if (nvml::Memory size{}; library.ask(library.memory, device, &size)) {
        reading.memoryUsedBytes = static_cast<std::int64_t>(size.used);
    }
    const auto watts
        = [](std::optional<double> milliwatts) { return milliwatts ? std::optional(*milliwatts / 1e3) : std::nullopt; };
    reading.powerW = watts(library.number(library.power, device));
    reading.powerLimitW = watts(library.number(library.powerLimit, device));
    reading.temperatureC = library.number(library.temperature, device, nvml::SensorOfGpu);
    reading.smMhz = library.number(library.clock, device, nvml::ClockOfSm);
    reading.memoryMhz = library.number(library.clock, device, nvml::ClockOfMemory);
    if (unsigned long long reasons = 0; library.ask(library.clockReasons, device, &reasons)) {
        reading.clockReasons = reasons;
    }
    library.addProcesses(reading.processes, device, false);
    library.addProcesses(reading.processes, device, true);
    return reading;
}

} // namespace lockstep::launch
