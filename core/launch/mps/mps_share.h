// A session's share of MPS, NVIDIA's Multi-Process Service: runs whose ranks share a GPU use the MPS that is there, or
// this user's own (mps_daemon.h). Session thread only; blocking, for seconds at most.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "launch/monitor/nvml.h"
#include "launch/mps/mps_daemon.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

/// What the ranks of one run use.
struct MpsUse {
    std::string origin{}; ///< analysis::Machine::mps
    QString pipes{}; ///< for CUDA_MPS_PIPE_DIRECTORY of the ranks; empty: they take the workbench's
    Text line{}; ///< for the log
};

/// Whether two of a run's ranks compute on one of `gpus` GPUs.
[[nodiscard]] bool shareGpu(const experiment::RunSpec& run, std::int32_t ranks, std::int32_t gpus);
/// CUDA's error for a fault that may be another process's: with MPS, a kernel that fails can end all processes on its
/// GPU ("Error containment" in NVIDIA's documentation of MPS).
[[nodiscard]] bool isSharedFault(const Text& failure);

class MpsShare {
public:
    /// For a run of ranks on this machine's GPUs, before they start. Refuses `device.mps` on where MPS cannot run.
    [[nodiscard]] Result<MpsUse> begin(const experiment::RunSpec& run, std::int32_t ranks);
    /// The run of a begin() has ended. After a fault the next run gets a new daemon.
    void end(const MpsUse& use, bool hadFault);
    /// No run follows: stops the daemon unless another process uses it.
    void release() { m_daemon.reset(); }
    /// Before these processes are killed: ends their work on the GPU, which would disturb other clients.
    static void endClients(const MpsUse& use, const std::vector<std::int64_t>& processes);

private:
    [[nodiscard]] Result<MpsUse> beginOwn();
    [[nodiscard]] const std::vector<GpuFacts>& gpus();

    std::optional<std::vector<GpuFacts>> m_gpus; ///< read by the first run that may share one
    std::unique_ptr<MpsDaemon> m_daemon;
    int m_runs = 0; ///< that use it
    bool m_hadFault = false;
};

} // namespace lockstep::launch
