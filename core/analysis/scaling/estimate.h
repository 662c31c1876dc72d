// Estimates a run's cost before its start: weights, steps, seconds. Calibrated by runs already measured here.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/processor.h"
#include "experiment/spec.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lockstep::analysis {

struct Estimate {
    std::int64_t parameters = 0; ///< weights of the net
    std::int64_t steps = 0;
    double forwardFlopsPerSample = 0.0; ///< multiply-adds counted as 2
    double seconds = NotMeasured; ///< wall time of the run, from starting its processes to its last step
    double startSeconds = 0.0; ///< of these, before the first step
    double lastEvaluationSeconds = 0.0; ///< after the last step, not in `seconds`
    bool fromMeasurement = false; ///< true: scaled from a finished run on this machine; false: from a rough constant
};

/// The finished run of `history` (newest first; curves not needed) whose time predicts best that of a run on
/// `processor`: of equal settings, else of the same net, else at least on the same processor. Where one of the two
/// processors is not known, the settings of `device` are compared. Null: none is comparable.
[[nodiscard]] const RunRecord* nearestRun(
    const experiment::RunSpec& run, std::span<const RunRecord> history, Processor processor);

/// The nearest run of `history` scales the time: a repeat of it within 30 %, as tests/bench/bench_estimate measures,
/// another run of the same net within a factor of 2. Without one it is a rough guess.
[[nodiscard]] Estimate estimate(
    const experiment::RunSpec& run, std::span<const RunRecord> history, Processor processor);

/// Whether the run may take turns with other variants of its experiment.
[[nodiscard]] bool isMeasuredInTurns(const experiment::RunSpec& run);
/// The longest time that runs which take turns are measured beyond their own steps: the limit of each comparison
/// (measure.limit_s), one a repeat; 0 where none takes turns.
[[nodiscard]] double mostSecondsOfMeasuring(std::span<const experiment::RunSpec> runs);

} // namespace lockstep::analysis
