// The steps of a prepared run, of one rank or as one rank of many: loop.cpp carries them out, loop_reports.cpp tells
// of them, loop_evaluation.cpp looks at the test set.
#pragma once

#include "base/result.h"
#include "engine/gpu/device_marks.h"
#include "engine/model/gradient_graph.h"
#include "engine/memory/memory_report.h"
#include "engine/strategy/data/async_server.h"
#include "engine/strategy/data/data_parallel.h"
#include "engine/strategy/model_parallel.h"
#include "engine/ranks/rank_context.h"
#include "engine/telemetry/recorder.h"
#include "engine/data/batches.h"
#include "engine/model/evaluation.h"
#include "engine/strategy/job.h"
#include "engine/run/log_line.h"
#include "engine/run/measure_cost.h"
#include "engine/run/run_control.h"
#include "engine/gpu/step_clock.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::engine {

class Checkpoints;

class TrainingLoop {
public:
    /// Where the loop runs: all must outlive it.
    struct Surroundings {
        const RankContext& context;
        Recorder& recorder;
        ControlBoard& board;
        RankGroup* group = nullptr; ///< null for a single process
        DataParallel* ranks = nullptr; ///< null unless every rank has the whole net
        ModelParallel* modelParallel = nullptr; ///< null unless every rank has a part of it
        AsyncServer* server = nullptr; ///< instead of an aggregation
        Checkpoints* checkpoints = nullptr; ///< null where there are none
        std::int64_t stepsDone = 0; ///< before this run began: it goes on from a checkpoint
        std::int64_t samplesDone = 0;
        /// A device's time line of a test's own, instead of that of the job's device.
        std::function<std::unique_ptr<DeviceMarks>()> marks{};
        /// Tests break a gradient here, to see that it is found out.
        std::function<void(std::int64_t step, torch::Tensor& gradients)> onGradient{};
    };
    TrainingLoop(const experiment::RunSpec& run, Job& job, const Surroundings& surroundings);

    [[nodiscard]] wire::Goodbye run();
    /// This rank's loss and number of samples of each step so far, kept for the first `verify.steps` steps of a run
    /// that is to be verified: pairs, one after the other.
    [[nodiscard]] std::vector<double>& keptLosses() { return m_keptLosses; }

    void tellMemory() { m_memory.tell(m_step); }

    /// Steps queued or done so far, also after an exception.
    [[nodiscard]] std::int64_t stepsDone() const { return m_step; }

private:
    /// One step: gradient, update, row. A device's work is queued here and told of once it is done.
    [[nodiscard]] Result<void> step();
    /// Of this rank's part; 0 where that is empty.
    [[nodiscard]] Result<torch::Tensor> gradient();
    [[nodiscard]] Result<torch::Tensor> gradientOfPart();
    [[nodiscard]] torch::Tensor gradientOfBatch();
    /// Whether this batch's gradient is to come from the graphs, which are recorded once there have been a few of its size.
    [[nodiscard]] bool isRecordable(const Batch& batch);
    /// Undefined where CUDA refuses to record it: then it is to be worked out as ever.
    [[nodiscard]] torch::Tensor gradientByGraph(const Batch& batch);
    /// Of all that this rank has of the set.
    [[nodiscard]] torch::Tensor gradientOfWholeShare();
    [[nodiscard]] double gradientScale() const;
    /// From here on gradients are final when they are there: they may be sent.
    void beginLastBackward();
    /// Stretches the step as the bottleneck asks.
    [[nodiscard]] Result<void> slowDown();
    /// What follows the gradient: aggregation and update.
    [[nodiscard]] Result<void> update(double learningRate);
    [[nodiscard]] Result<void> updateHere(double learningRate);
    /// The ranks come together; in a run that is to be measured so that all transfers begin at once.
    [[nodiscard]] Result<void> beginCommunication();
    [[nodiscard]] Result<void> updateByServer();
    /// Of the step that has just been queued or done: its row but for its times and its loss.
    [[nodiscard]] StepRow rowOfStep(double learningRate);
    /// Tells of steps that are done, the oldest first, until at most `mostPending` are not. Waits for these.
    [[nodiscard]] Result<void> settle(std::size_t mostPending);
    /// Waits for the device, and notices when a rank that it depends on will never come.
    [[nodiscard]] Result<void> waitFor(DeviceMarks::Mark mark);
    /// For all that has been queued so far.
    [[nodiscard]] Result<void> waitForDevice();
    /// All steps are told of, and the others know that this rank is done.
    [[nodiscard]] Result<void> endSteps();
    /// Every rank at the same step; what goes wrong is told and does not end the run. False without checkpoints.
    bool saveCheckpoint();
    /// What the workbench asks for besides pause, resume and stop.
    bool apply(const wire::Control& control);
    [[nodiscard]] bool isEvaluationDue() const;
    [[nodiscard]] Result<void> evaluateTestSet();
    /// Tells the server, or those that have other parts of the net, that this rank is done.
    [[nodiscard]] Result<void> finishWithOthers();
    [[nodiscard]] Result<TestScore> testScore();
    [[nodiscard]] Error brokenBy(double loss, std::int64_t step);
    /// Steps that are done are told of first.
    [[nodiscard]] wire::Goodbye failedBy(const Error& error);

    const experiment::RunSpec& m_run;
    Job& m_job;
    Surroundings m_around;
    RunControl m_control;
    std::unique_ptr<DeviceMarks> m_marks; ///< null on the CPU
    StepClock m_clock;
    LogLineSums m_logSums;
    MemoryReport m_memory;
    Batches m_batches;
    std::int64_t m_logEvery;
    std::int64_t m_evaluateEvery;
    double m_clip;
    std::int64_t m_timeoutNs;
    std::int64_t m_microBatches;
    std::int64_t m_step = 0;
    std::int64_t m_samples = 0;
    std::int64_t m_batchSize = 0; ///< of this rank's part
    std::int64_t m_wholeBatchSize = 0; ///< over all ranks
    std::int64_t m_heldNs = 0; ///< of this step's time with the server: waiting for slower ranks
    bool m_hasFinishedWithServer = false;
    std::optional<MeasureCost> m_measureCost; ///< with measure.mode=measure
    bool m_recordsGraphs;
    std::unique_ptr<GradientGraph> m_graph; ///< null until it is recorded
    const void* m_graphImages = nullptr; ///< where the batch that is recorded lies
    std::int64_t m_graphBatch = 0; ///< samples of the batches that are, or will be, recorded
    std::int64_t m_stepsBeforeGraph = 0; ///< of batches of that size in a row
    std::int64_t m_keptSteps; ///< how many steps' losses are kept
    std::vector<double> m_keptLosses;
    /// A step on its way: on the CPU it is done when it gets here.
    struct PendingStep {
        StepRow row;
        StepClock::Record clock;
        torch::Tensor loss; ///< on the host, once the clock's last mark is reached
        bool startsAnew = false; ///< its wall time counts from its own start
    };
    [[nodiscard]] Result<void> tell(PendingStep& pending);
    std::deque<PendingStep> m_pending;
    bool m_startsAnew = true; ///< the next step does not follow one without a gap
    bool m_isBroken = false; ///< a step's loss was no number: what follows it is not told
    std::int64_t m_previousEndNs = 0; ///< of the last step that was told
};

} // namespace lockstep::engine
