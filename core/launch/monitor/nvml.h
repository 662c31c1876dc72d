// NVIDIA's management library, loaded while the program runs: describes the driver and its GPUs, and their current
// load. A machine without a driver has no such library, and the build does not need one. A value that a GPU does not
// report is empty. One thread at a time.
#pragma once

#include "base/text.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

/// Why there is no NVML, as text and as a code.
struct NvmlFailure {
    enum class Kind {
        NoLibrary, ///< no driver is installed, or a container was started without it
        Unusable, ///< a library is there and lacks what is needed
        NotLoaded, ///< the kernel module is not there
        Mismatch, ///< library and kernel module are of different versions
        NoPermission, ///< the device nodes may not be opened
        NoGpu, ///< the driver finds no GPU
        Other
    };
    Kind kind = Kind::NoLibrary;
    Text message; ///< one line: what was tried and the result
};

/// What a GPU in MIG mode is cut into.
struct MigSlice {
    std::string name; ///< `NVIDIA H100 80GB HBM3 MIG 1g.10gb`
    std::string uuid;
    std::int64_t memoryBytes = 0;
};

struct ComputeCapability {
    int major = 0;
    int minor = 0;

    auto operator<=>(const ComputeCapability&) const = default;
};

struct GpuFacts {
    int number = 0; ///< as NVML counts, which is by PCI address; CUDA_DEVICE_ORDER=PCI_BUS_ID counts the same
    std::string name;
    std::string uuid;
    std::int64_t memoryBytes = 0;
    std::optional<ComputeCapability> capability;
    std::optional<bool> isMig;
    std::vector<MigSlice> slices;
    std::optional<int> computeMode; ///< nvml::ComputeMode
    std::optional<bool> isPersistent; ///< the driver stays loaded while no process uses the GPU
    std::optional<double> powerLimitW;
};

struct DriverFacts {
    std::string version; ///< `580.65.06`
    int cuda = 0; ///< the newest that the driver can run: 13000 for 13.0; 0: not reported
};

struct GpuProcess {
    std::int64_t pid = 0;
    std::optional<std::int64_t> bytes;
};

/// The current load of one GPU.
struct GpuReading {
    std::optional<double> usePercent; ///< of the last time slice, how much of it a kernel ran
    std::optional<double> memoryUsePercent; ///< how much of it memory was read or written
    std::optional<std::int64_t> memoryUsedBytes;
    std::optional<double> powerW;
    std::optional<double> powerLimitW;
    std::optional<double> temperatureC;
    std::optional<double> smMhz;
    std::optional<double> memoryMhz;
    std::optional<std::uint64_t> clockReasons; ///< bits of analysis::ClockReason
    std::vector<GpuProcess> processes; ///< those that compute, under MPS or not
};

struct OpenedNvml;

class Nvml {
public:
    /// Loads libnvidia-ml.so.1, or what LOCKSTEP_NVML names, and starts it. May take a second where the driver has to
    /// wake its GPUs first.
    [[nodiscard]] static OpenedNvml open();
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    [[nodiscard]] DriverFacts driver() const;
    /// In the order of their numbers; one that has fallen off the bus is left out.
    [[nodiscard]] std::vector<GpuFacts> gpus() const;
    /// All empty for an unknown number.
    [[nodiscard]] GpuReading read(int number) const;

private:
    class Library;
    explicit Nvml(std::unique_ptr<Library> library);
    std::unique_ptr<Library> m_library;
};

/// `nvml` is null where it failed.
struct OpenedNvml {
    std::unique_ptr<Nvml> nvml;
    NvmlFailure failure;
};

} // namespace lockstep::launch
