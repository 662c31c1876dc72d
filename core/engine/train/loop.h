// The steps of a prepared run.
#pragma once

#include "base/result.h"
#include "engine/data/dataset.h"
#include "engine/net/net.h"
#include "engine/optim/optimizer.h"
#include "engine/parallel/rank_context.h"
#include "engine/telemetry/recorder.h"
#include "engine/train/batches.h"
#include "engine/train/flat_parameters.h"
#include "engine/train/log_line.h"
#include "engine/train/run_control.h"
#include "engine/train/step_clock.h"
#include "plan/steps.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace lockstep::engine {

/// What a run needs before its first step.
struct Job {
    Dataset data;
    std::int64_t dataNs = 0;
    torch::Device device;
    Net net;
    FlatParameters parameters;
    std::unique_ptr<Optimizer> optimizer;
    plan::StepPlan plan;
};

/// Loads and builds it all. Errors begin with the parameter's name.
[[nodiscard]] Result<std::unique_ptr<Job>> prepare(const experiment::RunSpec& run, const RankContext& context);

class TrainingLoop {
public:
    /// All must outlive the loop.
    TrainingLoop(const experiment::RunSpec& run, const RankContext& context, Job& job, Recorder& recorder);

    [[nodiscard]] wire::Goodbye run();

    /// Steps done so far, also after an exception.
    [[nodiscard]] std::int64_t stepsDone() const { return m_step; }

private:
    /// One step: gradient, update, row. Gives the loss.
    double step();
    [[nodiscard]] torch::Tensor gradient();
    void record(double loss, double learningRate);
    [[nodiscard]] bool isEvaluationDue() const;
    void evaluateTestSet();
    [[nodiscard]] wire::Goodbye failedBy(double loss) const;

    const experiment::RunSpec& m_run;
    const RankContext& m_context;
    Job& m_job;
    Recorder& m_recorder;
    RunControl m_control;
    StepClock m_clock;
    LogLineSums m_logSums;
    std::optional<Batches> m_batches; ///< none for whole-batch gradients
    std::int64_t m_logEvery;
    std::int64_t m_evaluateEvery;
    double m_clip;
    std::int64_t m_step = 0;
    std::int64_t m_samples = 0;
    std::int64_t m_batchSize = 0;
    std::int64_t m_previousEndNs = 0; ///< 0: the next step counts from its own start
};

} // namespace lockstep::engine
