// Tells the workbench what a rank's memory is used for: after the first step and the last, and at most ten times a
// second between. Training thread only.
#pragma once

#include "base/memory_kind.h"
#include "engine/telemetry/recorder.h"
#include "plan/memory.h"

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

/// What lies in a device's memory all through the run; what else LibTorch has taken there are activations.
struct LastingOnDevice {
    torch::Device device = torch::kCPU;
    MemoryBytes bytes{};
    std::int64_t foreignBytes = 0; ///< of these, what does not come from LibTorch's allocator
};

class MemoryReport {
public:
    /// Of the account that this thread uses now; without one nothing is told. Both must outlive it. On a device: of
    /// what is there instead.
    MemoryReport(Recorder& recorder, const plan::MemoryPlan& planned, const LastingOnDevice& lasting = {});

    void beginStep();
    enum class Step { OneOfMany, Last };
    void endStep(std::int64_t step, Step which);
    /// Once more at the end: evaluation and the check against one process come after the last step.
    void tell(std::int64_t step);

private:
    /// With what is in use besides what lasts.
    [[nodiscard]] MemoryBytes onDevice(std::int64_t used) const;

    Recorder& m_recorder;
    LastingOnDevice m_lasting;
    plan::MemoryPlan m_planned;
    MemoryBytes m_most{}; ///< within the steps since the last sample; evaluation, which comes between, is none
    std::int64_t m_mostOfSum = 0;
    std::int64_t m_highest = 0; ///< of the sum on the device, since the start
    std::int64_t m_lastNs = 0; ///< 0: none yet
};

} // namespace lockstep::engine
