// What can be learned about this machine without LibTorch: from /proc, the network interfaces and NVML.
#pragma once

#include "launch/monitor/gpu_advice.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::launch {

struct MachineFacts {
    QString system; ///< `Debian GNU/Linux 12 (bookworm), Linux 6.1`
    QString processor;
    int cores = 0; ///< that this process may use
    std::int64_t memoryBytes = 0;
    std::int64_t freeMemoryBytes = 0;
    std::vector<std::string> interfaces; ///< `lo 127.0.0.1`
    std::vector<std::string> gpus; ///< `NVIDIA H100, 81559 MiB, driver 580.1`
    Text gpuMessage; ///< why there are none; empty where there are some
};

/// The GPUs as reported by NVML; if it does not answer, by nvidia-smi.
[[nodiscard]] MachineFacts machineFacts(const GpuSituation& situation, const GpuVerdict& verdict);

struct ProgramOutput {
    bool hasStarted = false;
    bool hasTimedOut = false;
    int exitCode = -1;
    std::string out;
    Text error; ///< last line of stderr, or why it did not start
};

/// Runs a program to its end, at most `limitMs` long.
[[nodiscard]] ProgramOutput outputOf(const QString& program, const QStringList& arguments, int limitMs);

} // namespace lockstep::launch
