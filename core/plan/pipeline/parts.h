// Which layers of the net each part of a pipeline has.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/net.h"
#include "plan/pipeline/schedule.h"
#include "plan/slices.h"

#include <cstdint>
#include <vector>

namespace lockstep::plan {

/// For the strategies pipeline and grid; for all others one stage that takes the batch as a whole.
[[nodiscard]] PipelineShape pipelineShape(const experiment::RunSpec& run);

struct PipelinePart {
    Slice units; ///< of netUnits()
    Slice layers; ///< of the engine's list
    NetUnit last; ///< whose output goes to the next part
};

/// By part: stages * chunks ranges of layers that follow each other. Set by `pipeline.cut` (layers with parameters per
/// part), else balanced. Errors begin with the parameter's name.
[[nodiscard]] Result<std::vector<PipelinePart>> pipelineParts(const experiment::RunSpec& run);

} // namespace lockstep::plan
