// How long runs will take on this machine: each by the nearest run that was measured here and by what its data files
// hold, and what those that take turns are measured beyond their own steps.
#pragma once

#include "analysis/run_record.h"
#include "analysis/scaling/estimate.h"
#include "experiment/spec.h"
#include "launch/ranks/rank_program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::launch {

struct ExpectedTime {
    double seconds = 0.0; ///< NotMeasured where a run is of a user's own program
    double mostMoreSeconds = 0.0; ///< that measuring in turns may take beyond them (measure.limit_s)
    std::int64_t steps = 0;
    std::int64_t parameters = 0; ///< of the largest net
    bool isMeasured = true; ///< else at least one run is roughly guessed
};

class ExpectedTimes {
public:
    /// `known`: stored runs, newest first; outlive this. Looks for programs and GPUs once.
    explicit ExpectedTimes(std::span<const analysis::RunRecord> known);

    /// Reads the headers of data files that have changed.
    [[nodiscard]] analysis::Estimate of(const experiment::RunSpec& run) const;
    /// Of all of these, from the start of the first to the end of the last.
    [[nodiscard]] ExpectedTime of(std::span<const experiment::RunSpec> runs) const;
    /// The stored runs from which those times follow; each once.
    [[nodiscard]] std::vector<analysis::RunRecord> nearestTo(std::span<const experiment::RunSpec> runs) const;

private:
    std::span<const analysis::RunRecord> m_known;
    ExpectedProcessors m_processors = ExpectedProcessors::here();
};

} // namespace lockstep::launch
