// Whether a machine's GPU, driver and LibTorch work together, in plain words and with advice. Pure: facts in, text out.
#pragma once

#include "base/text.h"
#include "base/translate.h"
#include "launch/monitor/nvml.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

/// What a rank program with CUDA reports about itself.
struct CudaFlavour {
    bool isThere = false;
    bool works = false; ///< it has answered
    Text message = LS_TR("Messages", "./run --cuda builds it"); ///< if it is not there; else why it does not work
    std::string libtorch; ///< `2.11.0`
    int cuda = 0; ///< that LibTorch was built with: 13000 for 13.0; 0: without
    int nccl = 0; ///< 22809 for 2.28.9; 0: none linked
    std::vector<std::string> architectures; ///< `sm_90`, `compute_90`; empty: not reported
    bool canUseGpu = false; ///< tried: LibTorch has found a GPU that it can work on
    bool isBuiltHere = true; ///< by ./run; false: it came with a package
};

struct GpuSituation {
    std::vector<std::string> pciDevices; ///< NVIDIA's display devices on the bus: `0000:01:00.0`
    std::string kernelModule; ///< the version of NVIDIA's that is loaded; empty: none is
    bool hasNouveau = false; ///< nouveau, the free driver, holds the GPU
    bool hasDeviceNodes = false; ///< /dev/nvidiactl and one of /dev/nvidia0, ...
    bool isContainer = false;
    bool isWsl = false;
    bool hasWslGpu = false; ///< /dev/dxg: Windows lends its GPU
    std::optional<NvmlFailure> failure; ///< empty: NVML answers, and the rest is what it says
    DriverFacts driver;
    std::vector<GpuFacts> gpus;
    bool isMpsRunning = false;
    bool hasMpsProgram = false; ///< MpsControlProgram is in PATH
    std::optional<std::string> visibleDevices; ///< CUDA_VISIBLE_DEVICES, where it is set
    std::string nvcc; ///< `13.0`; empty: no toolkit found
    CudaFlavour flavour;
};

struct GpuVerdict {
    /// `ready`, or the first obstacle: `no_gpu`, `no_driver`, `nouveau`, `not_loaded`, `mismatch`,
    /// `hidden_from_container`, `no_device_nodes`, `no_permission`, `no_wsl_gpu`, `unusable_driver`, `driver_too_old`,
    /// `wrong_architecture`, `no_cuda_rank`, `hidden_by_variable`, `not_usable`.
    std::string state;
    Text summary; ///< one line
    struct Line {
        Text topic; ///< `driver`, `GPU 0`, `NCCL`, ...
        Text text;
    };
    std::vector<Line> lines;
    std::vector<Text> advice; ///< what to do, in this order; empty if there is nothing
};

[[nodiscard]] GpuVerdict gpuVerdict(const GpuSituation& situation);

/// `13.0` for 13000, `2.28.9` for 22809 as NCCL counts.
[[nodiscard]] std::string cudaText(int version);
[[nodiscard]] std::string ncclText(int version);

} // namespace lockstep::launch
