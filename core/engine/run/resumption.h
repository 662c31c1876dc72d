// What a resumed run takes over from the part before it, besides weights and optimizer: time, and a schedule that may
// have been made for another length.
#pragma once

#include "engine/strategy/job.h"
#include "experiment/spec.h"

#include <cstdint>

namespace lockstep::engine {

struct ResumedFrom {
    std::int64_t step = 0; ///< the last one before it; 0: the run begins at its first step
    std::int64_t trainedNs = 0; ///< Manifest::trainedNs: -1 if not known
    /// The length that the learning rates of those steps were made for, if this run's length gives other rates; else 0.
    std::int64_t scheduledSteps = 0;
};

/// Of `checkpoint.from`, by its manifest. None if that cannot be read: restoring it then refuses the run.
[[nodiscard]] ResumedFrom resumedFrom(const experiment::RunSpec& run, const Job& job);

} // namespace lockstep::engine
