// Reports to the workbench what a rank's memory is used for: after the first step and the last, and at most ten times a
// second between. Training thread only.
#pragma once

#include "base/memory_kind.h"
#include "engine/gpu/device_memory_use.h"
#include "engine/telemetry/recorder.h"
#include "plan/memory.h"

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

/// What stays in device memory for the whole run; the rest of LibTorch's memory there is cuBLAS's workspace and
/// activations.
struct LastingOnDevice {
    torch::Device device = torch::kCPU;
    MemoryBytes bytes{};
    std::int64_t foreignBytes = 0; ///< of these, what does not come from LibTorch's allocator
    std::int64_t limitBytes = 0; ///< of all memory there (rank.memory_mb); 0: none
};

class MemoryReport {
public:
    /// Reports the account that this thread uses now, nothing without one; on a device, the device's memory instead.
    /// Both must outlive it. `use`: what measures a device's memory.
    using DeviceUse = DeviceMemoryUse (*)(torch::Device);
    MemoryReport(Recorder& recorder, const plan::MemoryPlan& planned, const LastingOnDevice& lasting = {},
        DeviceUse use = &memoryUseOf);

    /// Throws MemoryLimitReached if the device's memory has gone beyond its limit since the last call, which the
    /// account does for the host's.
    void beginStep();
    enum class Step { OneOfMany, Last };
    void endStep(std::int64_t step, Step which);
    /// Once more at the end: evaluation and the check against one process come after the last step. Throws as
    /// beginStep().
    void finish(std::int64_t step);

private:
    void tell(std::int64_t step);
    void checkLimit() const;
    /// Lasting memory, cuBLAS's workspace, and what else of `used` bytes there is.
    [[nodiscard]] MemoryBytes onDevice(std::int64_t used, std::int64_t workspace) const;

    Recorder& m_recorder;
    LastingOnDevice m_lasting;
    plan::MemoryPlan m_planned;
    DeviceUse m_use;
    MemoryBytes m_most{}; ///< within the steps since the last sample; evaluation, which comes between, is none
    std::int64_t m_mostOfSum = 0;
    std::int64_t m_highest = 0; ///< of the sum on the device, since the start
    std::int64_t m_lastNs = 0; ///< 0: none yet
};

} // namespace lockstep::engine
