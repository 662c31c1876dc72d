// The steps of a prepared run, on one rank: control, gradient, update, evaluation, checkpoints.
#pragma once

#include "base/result.h"
#include "engine/data/batches.h"
#include "engine/ranks/rank_context.h"
#include "engine/run/run_control.h"
#include "engine/run/step_reports.h"
#include "engine/run/straggler.h"
#include "engine/run/train.h"
#include "engine/strategy/job.h"
#include "engine/strategy/strategy.h"
#include "engine/telemetry/recorder.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lockstep::engine {

class Checkpoints;

/// A run's progress.
struct Position {
    std::int64_t step = 0; ///< steps done
    std::int64_t samples = 0; ///< over all ranks
    bool isDataCompared = true; ///< false after a checkpoint that kept no hash of its data
    std::int64_t trainedNs = 0; ///< since the run's first step began, without pauses; -1: not known
};

/// Whether a checkpoint is that of a run which stops after it.
enum class LastCheckpoint : bool { No, Yes };

class TrainingLoop {
public:
    /// What the loop uses: all must outlive it.
    struct Parts {
        const experiment::RunSpec& run;
        const RankContext& context;
        Job& job;
        Strategy& strategy;
        Checkpoints& checkpoints;
        Recorder& recorder;
        const TrainingHooks& hooks;
    };
    /// `start`: where a resumed run begins.
    TrainingLoop(const Parts& parts, const Position& start);
    ~TrainingLoop();
    TrainingLoop(const TrainingLoop&) = delete;
    TrainingLoop& operator=(const TrainingLoop&) = delete;

    [[nodiscard]] wire::Goodbye run();
    /// StepReports' of the steps so far.
    [[nodiscard]] std::vector<double>& keptLosses() { return m_reports.keptLosses(); }
    void reportMemory() { m_reports.reportMemory(m_at.step); }
    /// Steps queued or done so far, also after an exception.
    [[nodiscard]] std::int64_t stepsDone() const { return m_at.step; }

private:
    /// One step: gradient, update, row. A device's work is queued here and reported once it is done.
    [[nodiscard]] Result<void> step();
    /// The row of the step that has just been queued or done, without its times and loss.
    /// fault.unequal_batches: the first of the batch on the faulty rank.
    [[nodiscard]] Batch ownShare(const Batch& batch) const;
    [[nodiscard]] StepRow rowOfStep(double learningRate, std::int64_t samples);
    /// Reports all steps, and signals the other ranks that this one is done.
    [[nodiscard]] Result<void> endSteps();
    /// Every rank at the same step. An error is logged and does not end the run. False without checkpoints.
    bool saveCheckpoint(LastCheckpoint last);
    /// The workbench's other commands, besides pause, resume and stop.
    bool apply(const wire::Control& control);
    [[nodiscard]] bool isEvaluationDue() const;
    /// On the test set, and the loss on the first samples of the training set.
    [[nodiscard]] Result<void> evaluate();
    void reportScore(const TestScore& score, double trainLoss, std::int64_t startNs, std::int64_t endNs);
    /// Reports finished steps first.
    [[nodiscard]] wire::Goodbye failedBy(const Error& error);
    /// The steps of the run itself; a run that takes turns then takes more steps, only to measure them.
    [[nodiscard]] bool areOwnStepsDone() const { return m_own.has_value(); }
    [[nodiscard]] bool hasMoreSteps() const;
    /// What the commands before a step end the run with; nothing if the run continues.
    [[nodiscard]] std::optional<wire::Goodbye> beforeStep();
    /// After the last step of a run that takes turns: from now on steps are measured, and not recorded.
    [[nodiscard]] Result<void> endOwnSteps();
    /// What is due after a step: evaluation, a checkpoint.
    [[nodiscard]] Result<void> afterStep();
    [[nodiscard]] wire::Goodbye finish();
    [[nodiscard]] wire::Held takeBlock();
    /// Position::trainedNs now; while the run waits before a step, when it began to.
    [[nodiscard]] std::int64_t trainedNs() const;

    Parts m_parts;
    Position m_at;
    std::optional<Position> m_own; ///< after the run's own last step
    RunControl m_control;
    StepReports m_reports;
    Batches m_batches;
    std::int64_t m_evaluateEvery;
    Straggler m_straggler;
    std::int64_t m_beganNs = 0; ///< the first step here; 0: it has not
    std::int64_t m_waitedNs = 0; ///< of the time since, paused or held
    std::int64_t m_controlledFromNs = 0; ///< while commands are applied, and the run may wait; else 0
};

} // namespace lockstep::engine
