// The part of NVIDIA's nvml.h that is used here, with our own names: NVML's ABI is stable, a changed function gets a
// new numbered name. Private to the monitor and the fake library of the tests.
#pragma once

#include <cstdint>

namespace lockstep::launch::nvml {

using Device = struct DeviceOfNvml*; ///< opaque

enum Status : int {
    Success = 0,
    Uninitialized = 1,
    InvalidArgument = 2,
    NotSupported = 3,
    NoPermission = 4,
    NotFound = 6,
    InsufficientSize = 7,
    DriverNotLoaded = 9,
    LibraryNotFound = 12,
    GpuIsLost = 15,
    OperatingSystem = 17,
    VersionMismatch = 18,
    Unknown = 999
};

enum ComputeMode : int { ModeDefault = 0, ModeExclusiveThread = 1, ModeProhibited = 2, ModeExclusiveProcess = 3 };

struct Utilization {
    unsigned int gpu;
    unsigned int memory;
};

struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

/// As of the functions whose names end in _v2 and _v3.
struct Process {
    unsigned int pid;
    unsigned long long usedMemory;
    unsigned int gpuInstance;
    unsigned int computeInstance;
};

inline constexpr unsigned long long NoValue = ~0ULL;
inline constexpr int SensorOfGpu = 0;
inline constexpr int ClockOfSm = 1;
inline constexpr int ClockOfMemory = 2;
inline constexpr unsigned int TextSize = 96;

} // namespace lockstep::launch::nvml
