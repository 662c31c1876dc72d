// Reads what gpu_advice judges: the PCI bus, kernel modules, device nodes, NVML, MPS, the toolkit.
#pragma once

#include "launch/monitor/gpu_advice.h"

#include <QString>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::launch {

/// Everything but the rank program's part. Tests replace `/` by `root`.
[[nodiscard]] GpuSituation gpuSituation(const QString& root = {});

/// What the report of `lockstep-rank --doctor` says about CUDA.
[[nodiscard]] CudaFlavour flavourOf(const nlohmann::ordered_json& report);

/// Facts and verdict, as `lockstep doctor --json` prints them.
[[nodiscard]] nlohmann::ordered_json gpuJson(const GpuSituation& situation, const GpuVerdict& verdict);

} // namespace lockstep::launch
