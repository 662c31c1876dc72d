// Tells the workbench what a rank's memory is used for: after the first step and the last, and at most ten times a
// second between. Training thread only.
#pragma once

#include "base/memory_kind.h"
#include "engine/telemetry/recorder.h"
#include "plan/memory.h"

#include <cstdint>

namespace lockstep::engine {

class MemoryReport {
public:
    /// Of the account that this thread uses now; without one nothing is told. Both must outlive it.
    MemoryReport(Recorder& recorder, const plan::MemoryPlan& planned);

    void beginStep();
    enum class Step { OneOfMany, Last };
    void endStep(std::int64_t step, Step which);
    /// Once more at the end: evaluation and the check against one process come after the last step.
    void tell(std::int64_t step);

private:
    Recorder& m_recorder;
    plan::MemoryPlan m_planned;
    MemoryBytes m_most{}; ///< within the steps since the last sample; evaluation, which comes between, is none
    std::int64_t m_mostOfSum = 0;
    std::int64_t m_lastNs = 0; ///< 0: none yet
};

} // namespace lockstep::engine
