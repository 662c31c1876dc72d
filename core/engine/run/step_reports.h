// Reports a run's steps to the recorder: at once on the CPU; on a device when it has done them, a few steps later.
// Training thread only.
#pragma once

#include "base/result.h"
#include "engine/gpu/device_marks.h"
#include "engine/gpu/step_clock.h"
#include "engine/memory/memory_report.h"
#include "engine/ranks/rank_context.h"
#include "engine/run/log_line.h"
#include "engine/strategy/data/measure_cost.h"
#include "engine/strategy/job.h"
#include "engine/strategy/strategy.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"

#include <torch/types.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::engine {

class StepReports {
public:
    /// `marks`: the device's time line, null for the CPU. All references must outlive it.
    StepReports(const experiment::RunSpec& run, const RankContext& context, Job& job, Strategy& strategy,
        Recorder& recorder, std::unique_ptr<DeviceMarks> marks);

    [[nodiscard]] StepClock& clock() { return m_clock; }
    /// A step begins: the clock starts with the phase Data.
    void beginStep();
    /// The step just queued or done: its row without times and loss. Stops the clock.
    void endStep(StepRow row, const torch::Tensor& loss);
    /// Reports the steps that are done; of a device's, a few may stay pending.
    [[nodiscard]] Result<void> reportDone();
    /// The next step does not follow the last one without a gap: its wall time counts from its own start.
    void afterPause() { m_isAfterPause = true; }
    /// Reports every step so far; waits for the device.
    [[nodiscard]] Result<void> flush() { return flush(0); }
    /// At the end of the run: also the cost of measuring, where the run is measured.
    [[nodiscard]] Result<void> finish();
    /// Waits for all that has been queued so far. Fails when a rank that the device waits for has died.
    [[nodiscard]] Result<void> waitForDevice();

    /// The steps reported since the last call, without the first ones after each pause (wire::UncountedSteps).
    [[nodiscard]] wire::Held takeBlock() { return std::exchange(m_block, {}); }

    void reportMemory(std::int64_t step) { m_memory.finish(step); }
    /// This rank's loss and number of samples of the first `verify.steps` steps of a run that is verified: pairs.
    [[nodiscard]] std::vector<double>& keptLosses() { return m_keptLosses; }
    /// The step whose loss was not a number: no step after it is reported.
    [[nodiscard]] std::optional<std::int64_t> brokenStep() const { return m_brokenStep; }

private:
    /// A queued step; on the CPU it is done.
    struct Pending {
        StepRow row;
        StepClock::Record clock;
        torch::Tensor loss; ///< on the host, once the clock's last mark is reached
        bool isAfterPause = false;
    };

    [[nodiscard]] Result<void> flush(std::size_t mostPending);
    [[nodiscard]] Result<void> waitFor(DeviceMarks::Mark mark);
    [[nodiscard]] Result<void> report(Pending& pending);
    void addToBlock(const StepRow& row, bool isAfterPause);
    [[nodiscard]] Error brokenBy(double loss, std::int64_t step);

    const experiment::RunSpec& m_run;
    const RankContext& m_context;
    const Job& m_job;
    Strategy& m_strategy;
    Recorder& m_recorder;
    std::unique_ptr<DeviceMarks> m_marks;
    StepClock m_clock;
    LogLineSums m_logSums;
    MemoryReport m_memory;
    std::int64_t m_logEvery;
    std::int64_t m_timeoutNs;
    std::optional<MeasureCost> m_measureCost; ///< with measure.mode=measure
    std::int64_t m_keptSteps; ///< number of steps whose losses are kept
    std::vector<double> m_keptLosses;
    std::deque<Pending> m_pending;
    bool m_isAfterPause = true;
    std::optional<std::int64_t> m_brokenStep;
    wire::Held m_block;
    std::int64_t m_stepsSincePause = 0;
    std::int64_t m_previousEndNs = 0; ///< of the last reported step
};

} // namespace lockstep::engine
