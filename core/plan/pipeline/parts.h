// Which layers of the net each part of a pipeline has.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/pipeline/schedule.h"
#include "plan/slices.h"

#include <cstdint>
#include <vector>

namespace lockstep::plan {

[[nodiscard]] PipelineShape pipelineShape(const experiment::RunSpec& run);

struct PipelinePart {
    Slice layers;
    std::vector<std::int64_t> outputShape; ///< of one sample, in the run's dtype: what goes to the next part
};

/// By part: stages * chunks ranges of layers that follow each other. By hand where `pipeline.cut` says how many layers
/// with parameters each part has, else balanced. Errors begin with the parameter's name.
[[nodiscard]] Result<std::vector<PipelinePart>> pipelineParts(const experiment::RunSpec& run);

} // namespace lockstep::plan
